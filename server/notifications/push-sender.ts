/**
 * Push sender: sends the queued notifications of Web Push devices. Several processes share the queue. A notification is
 * sent at most once: the begin of the sending is stored first, and an attempt without a known result is not repeated.
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { PostError, type PostPublic, type PushResponse } from '../sources/fetch/safe-post.ts';
import type { NotificationClaim, NotificationResult, QueuedNotification, StoredDevice } from '../storage/ports/notifications.ts';
import type { Store } from '../storage/ports/store.ts';
import { createPlanner, type DeliveryPlan, type PlanDeps, type PlannedMessage } from './plan.ts';
import type { PushRequest } from './push-request.ts';
import { parseRetryAfter, retryLater } from './retry.ts';

/** Services that this module uses. */
export type PushSenderDeps = PlanDeps & {
  readonly store: Pick<Store, 'beginSending' | 'channel' | 'claimNotifications' | 'finishSending' | 'post'>;
  readonly postPublic: PostPublic;
  /** Returns null if the keys of the device are invalid. */
  readonly encrypt: (device: StoredDevice, payload: PlannedMessage['payload'], now: number) => PushRequest | null;
  /** Called with the number of messages that were sent, and that failed. */
  readonly onResults: (sent: number, failed: number) => void;
};

/** Devices per claim. Their messages are sent at the same time. */
const DEVICES_PER_CLAIM = 20;
/** Milliseconds of a claim: several times the timeout of a request. */
const CLAIM_MS = 120_000;
/** Messages that are encrypted before other work of the process runs, about 1 ms. */
const MESSAGES_PER_SLICE = 2;

/** A message that is encrypted for a device. */
interface PreparedMessage extends PlannedMessage {
  readonly device: StoredDevice;
  readonly request: PushRequest;
}

/** Hosts that asked to wait: their devices are postponed without a request. */
class PausedHosts {
  readonly #until = new Map<string, number>();

  pause(endpoint: string, until: number): void {
    const { host } = new URL(endpoint);
    this.#until.set(host, Math.max(until, this.#until.get(host) ?? 0));
  }

  /** Returns the end of the pause of a host in unix ms, or null. */
  pausedUntil(endpoint: string, now: number): number | null {
    const { host } = new URL(endpoint);
    const until = this.#until.get(host);
    if (until === undefined || until > now) return until ?? null;
    this.#until.delete(host);
    return null;
  }
}

/** Creates a function that sends one claim of due notifications. It returns false if none is due. */
export function createPushSender(deps: PushSenderDeps): () => Promise<boolean> {
  const pausedHosts = new PausedHosts();
  return async () => {
    const now = deps.now();
    const claim = await deps.store.claimNotifications('push', { now, until: now + CLAIM_MS, limit: DEVICES_PER_CLAIM });
    if (claim === null) return false;
    const { prepared, results } = await prepareClaim(claim, pausedHosts, deps);
    if (results.length > 0) await deps.store.finishSending(claim.id, results, Math.floor(now / 1000));
    if (prepared.length > 0) await sendPrepared(claim.id, prepared, pausedHosts, deps);
    return true;
  };
}

/** Plans and encrypts the messages of a claim. `results` are those of items for which nothing is sent now. */
async function prepareClaim(
  claim: NotificationClaim,
  pausedHosts: PausedHosts,
  deps: PushSenderDeps,
): Promise<{ prepared: PreparedMessage[]; results: NotificationResult[] }> {
  const plan = createPlanner(deps);
  const messages: { readonly device: StoredDevice; readonly message: PlannedMessage }[] = [];
  const prepared: PreparedMessage[] = [];
  const results: NotificationResult[] = [];
  const planRecipient = async (recipient: string, items: readonly QueuedNotification[]): Promise<void> => {
    const device = claim.devices.get(recipient);
    const settings = device && claim.settings.get(device.owner);
    if (device === undefined || settings === undefined) {
      results.push({ recipient, items, type: 'dropped' });
      return;
    }
    const pausedUntil = pausedHosts.pausedUntil(device.endpoint, deps.now());
    if (pausedUntil !== null) {
      results.push({ recipient, items, type: 'postpone', due: pausedUntil, isRetry: false });
      return;
    }
    const planned = await plan(items, device.owner, settings, device.language);
    results.push(...unsentResults(recipient, planned));
    for (const message of planned.messages) messages.push({ device, message });
  };
  // At the same time, because Telegram may need seconds for each membership.
  await Promise.all([...groupByRecipient(claim.items)].map(([recipient, items]) => planRecipient(recipient, items)));
  for (const [index, { device, message }] of messages.entries()) {
    const request = deps.encrypt(device, message.payload, deps.now());
    if (request === null) results.push({ recipient: device.id, items: message.items, type: 'gone' });
    else prepared.push({ ...message, device, request });
    if (index % MESSAGES_PER_SLICE === 0) await yieldToEventLoop();
  }
  return { prepared, results };
}

/** Groups items by recipient, in their order. */
export function groupByRecipient(items: readonly QueuedNotification[]): Map<string, QueuedNotification[]> {
  const groups = new Map<string, QueuedNotification[]>();
  for (const item of items) {
    const group = groups.get(item.recipient);
    if (group === undefined) groups.set(item.recipient, [item]);
    else group.push(item);
  }
  return groups;
}

/** Returns the results of the items for which a plan has no message. */
export function unsentResults(recipient: string, { postponed, dropped }: DeliveryPlan): NotificationResult[] {
  return [
    ...postponed.map(({ item, due }) => ({ recipient, items: [item], type: 'postpone' as const, due, isRetry: false })),
    ...(dropped.length > 0 ? [{ recipient, items: dropped, type: 'dropped' as const }] : []),
  ];
}

/** Stores that the sending begins, sends all messages at the same time, and stores the results. */
async function sendPrepared(
  claimId: string,
  prepared: readonly PreparedMessage[],
  pausedHosts: PausedHosts,
  deps: PushSenderDeps,
): Promise<void> {
  const begun = new Set(await deps.store.beginSending(claimId, [...new Set(prepared.map(({ device }) => device.id))]));
  const results = await Promise.all(
    prepared.filter(({ device }) => begun.has(device.id)).map((message) => sendOne(message, pausedHosts, deps)),
  );
  await deps.store.finishSending(claimId, results, Math.floor(deps.now() / 1000));
  const countOf = (type: NotificationResult['type']): number => results.filter((result) => result.type === type).length;
  deps.onResults(countOf('sent'), countOf('failed'));
}

async function sendOne(message: PreparedMessage, pausedHosts: PausedHosts, deps: PushSenderDeps): Promise<NotificationResult> {
  const { device, items, shown, request } = message;
  const recipient = device.id;
  try {
    const response = await deps.postPublic(request.endpoint, request.headers, request.body);
    if (response.status >= 200 && response.status < 300) return { recipient, items, type: 'sent', shown };
    return resultOfFailure(message, response, pausedHosts, deps);
  } catch (error) {
    // If the push service may have received the message, it is not sent again.
    if (!(error instanceof PostError) || error.wasSent) return { recipient, items, type: 'failed' };
    return retryLater(recipient, items, deps.now(), null);
  }
}

/** Returns the result of an error response. */
function resultOfFailure(
  { device, items }: PreparedMessage,
  { status, headers }: PushResponse,
  pausedHosts: PausedHosts,
  { now }: PushSenderDeps,
): NotificationResult {
  const recipient = device.id;
  if (status === 404 || status === 410) return { recipient, items, type: 'gone' };
  if (status !== 429 && status < 500) return { recipient, items, type: 'failed' };
  const retryAfterMs = parseRetryAfter(headers['retry-after'], now());
  if (retryAfterMs !== null) pausedHosts.pause(device.endpoint, now() + retryAfterMs);
  return retryLater(recipient, items, now(), retryAfterMs);
}
