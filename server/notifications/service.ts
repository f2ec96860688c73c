/** Notification service: matches new posts and sends the queue, in the background. */
import { setTimeout as wait } from 'node:timers/promises';
import type { SerializeDeps } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import type { LogFn } from '../lib/logger.ts';
import type { PostPublic } from '../sources/fetch/safe-post.ts';
import { createLease, type Lease } from '../sources/telegram/lease.ts';
import type { Members } from '../sources/telegram/members.ts';
import { createMessageSender } from '../sources/telegram/send-message.ts';
import type { Store } from '../storage/ports/store.ts';
import { createBotSender } from './bot-sender.ts';
import { matchEvents } from './matcher.ts';
import { createPushEncryption, openVapidKeys } from './push-request.ts';
import { createPushSender } from './push-sender.ts';

/** Services that this module uses. */
export type NotificationDeps = SerializeDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly bot: { readonly members: Members } | null;
  readonly postPublic: PostPublic;
  readonly log: LogFn;
};

/** Numbers of messages of this process since its start. */
export interface NotificationTotals {
  readonly sent: number;
  readonly failed: number;
}

export interface NotificationService {
  /** The server's VAPID public key, in base64url. */
  readonly publicKey: string;
  totals(): NotificationTotals;
  /** Sends what is due now, without waiting for the next check. */
  trigger(): void;
  start(): void;
  stop(): Promise<void>;
}

/** Interval of checks. A post is matched after one to two intervals, so that the other messages of its album are there. */
const CHECK_INTERVAL_MS = 1000;
/** Claims of a process that are sent at the same time: a slow push service delays only one of them. */
const CONCURRENT_CLAIMS = 3;
/**
 * Minimum time of a claim of devices, ms: at most 300 messages a second, so that readers' requests are not delayed. Ten
 * thousand take 33 s.
 */
const MIN_CLAIM_MS = 200;
const LOG_INTERVAL_MS = 60_000;
/** Level of a member; see `MemberLevel`. */
const MEMBER_LEVEL = 1;

/** Creates the service. The keys are created at the first start. */
export async function createNotificationService(deps: NotificationDeps): Promise<NotificationService> {
  const { store, config, bot, now, log } = deps;
  const keys = await openVapidKeys(store);
  const totals = { sent: 0, failed: 0 };
  const stopping = new AbortController();
  const wakeUps = new Set<() => void>();
  let running: Promise<unknown> | null = null;

  const onResults = (sent: number, failed: number): void => {
    totals.sent += sent;
    totals.failed += failed;
  };
  const isMember = async (channelId: string, readerId: string): Promise<boolean> =>
    ((await bot?.members.memberLevel(channelId, readerId)) ?? 0) >= MEMBER_LEVEL;
  const shared = { ...deps, isMember, onResults };
  const sendPushes = createPushSender({ ...shared, encrypt: createPushEncryption(keys, config) });
  const sendBotMessages = bot === null ? null : createBotSender({ ...shared, sendMessage: createMessageSender(config) });
  const onError = (error: unknown): void => void (stopping.signal.aborted || log('Could not send notifications.', error));
  const trigger = (): void => {
    for (const wakeUp of wakeUps) wakeUp();
  };

  /** Waits for the next check, or until `trigger` is called. */
  const pause = async (): Promise<void> => {
    const waking = new AbortController();
    const wakeUp = () => waking.abort();
    wakeUps.add(wakeUp);
    const signal = AbortSignal.any([waking.signal, stopping.signal]);
    await wait(CHECK_INTERVAL_MS, undefined, { signal }).catch(() => {});
    wakeUps.delete(wakeUp);
  };
  const sendWhileDue = async (send: () => Promise<boolean>, isAllowed: () => boolean): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startedAt = performance.now();
      const hasSent = isAllowed() && (await send().catch(onError));
      if (!hasSent) await pause();
      else
        await wait(Math.max(0, MIN_CLAIM_MS - (performance.now() - startedAt)), undefined, { signal: stopping.signal }).catch(
          () => {},
        );
    }
  };

  let isLeader = false;
  const lead = async (lease: Lease): Promise<void> => {
    let upTo = 0;
    while (!stopping.signal.aborted) {
      try {
        isLeader = await lease.acquire();
        if (isLeader && (await matchEvents(upTo, deps, stopping.signal))) trigger();
        upTo = await store.lastEventId();
      } catch (error) {
        isLeader = false;
        onError(error);
      }
      await wait(CHECK_INTERVAL_MS, undefined, { signal: stopping.signal }).catch(() => {});
    }
    await lease.release().catch(() => {});
  };

  let logged = { ...totals };
  const logTotals = (): void => {
    const [sent, failed] = [totals.sent - logged.sent, totals.failed - logged.failed];
    logged = { ...totals };
    if (sent + failed > 0) log(`Sent ${sent} notifications; ${failed} failed.`, undefined, 'info');
  };
  const logTimer = setInterval(logTotals, LOG_INTERVAL_MS).unref();

  return {
    publicKey: keys.publicKey,
    totals: () => ({ ...totals }),
    trigger,
    start() {
      running ??= Promise.all([
        lead(createLease('notifications', store, now)),
        ...Array.from({ length: CONCURRENT_CLAIMS }, () => sendWhileDue(sendPushes, () => true)),
        ...(sendBotMessages === null ? [] : [sendWhileDue(sendBotMessages, () => isLeader)]),
      ]);
    },
    async stop() {
      stopping.abort();
      clearInterval(logTimer);
      await running;
      logTotals();
    },
  };
}
