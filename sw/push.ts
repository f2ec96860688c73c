/*
 * Web Push: shows a notification for each message of the server, and counts new posts on the app's icon. Nothing is
 * marked as read here: only reading does that, in the app.
 *
 * Browsers require a visible notification for each message, or show one of their own, or end the subscription. So a
 * message that cannot be parsed shows a generic notification, and so does one that closes a notification: it replaces
 * the notification without a sound, and closes it when the browser has checked.
 */
import type { PushPayload } from '../contract/notifications.ts';
import { pushPayload } from '../contract/parse-notifications.ts';
import { channelTag, DIGEST_TAG, setBadge } from '../src/lib/push-notifications.ts';
import { type PushCounts, totalCount, updatePushCounts } from '../src/storage/push-storage.ts';
import { genericTitle, readText } from './notification-texts.ts';

declare const self: ServiceWorkerGlobalScope;

/** Data of a notification, for the handlers of its click and its dismissal. */
export interface NotificationData {
  /** Path in the app that a click opens. */
  readonly path: string;
  /** Key of its count; null if it is not counted. */
  readonly countKey: string | null;
  /** Id of the post that it shows; 0 for a digest. */
  readonly postId: number;
  /** Number of posts that it stands for. */
  readonly count: number;
}

/** Options of `showNotification` that TypeScript does not know. */
interface ShowOptions extends NotificationOptions {
  readonly image?: string;
  readonly renotify?: boolean;
  readonly timestamp?: number;
}

const HOME_PATH = '/main';
const GENERIC_TAG = 'generic';
const ICON_PATH = '/icon-192.png';
/** Icon of the status bar of Android: its shape only. */
const BADGE_PATH = '/badge-96.png';
/** Delay before a replaced notification is closed, ms. By then the browser has checked that there is one. */
const CLOSE_DELAY_MS = 1000;

/** Handles a message of the push service. `text` is its decrypted payload; undefined without one. */
export async function handlePush(text: string | undefined): Promise<void> {
  const payload = parsePayload(text);
  if (payload === null) return showGeneric();
  if (payload.type === 'read') return closeRead(payload);
  if (payload.type === 'post') return showPost(payload);
  const isDigest = payload.type === 'digest';
  if (isDigest) await changeCounts((counts) => ({ ...counts, [DIGEST_TAG]: { count: payload.count, postId: 0 } }));
  const data = { countKey: isDigest ? DIGEST_TAG : null, postId: 0, count: isDigest ? payload.count : 0 };
  await show(payload.title, payload, { tag: isDigest ? DIGEST_TAG : payload.type, data: { ...data, path: pathOf(payload.url) } });
}

function parsePayload(text: string | undefined): PushPayload | null {
  try {
    return pushPayload(JSON.parse(text ?? ''), 'push');
  } catch {
    return null;
  }
}

type PostPayload = Extract<PushPayload, { readonly type: 'post' }>;

/** Shows a post in place of the channel's notification, with the number of posts that both stand for. */
async function showPost(payload: PostPayload): Promise<void> {
  const { channelId, postId } = payload;
  const tag = channelTag(channelId);
  const shown = dataOf(await findNotification(tag));
  // A message that arrives twice, or after a later one.
  if (shown !== null && shown.postId >= postId) return;
  const count = payload.count + (shown?.count ?? 0);
  await changeCounts((counts) => ({
    ...counts,
    [channelId]: { count: payload.count + (counts[channelId]?.count ?? 0), postId },
  }));
  const title = count > 1 ? `${payload.title} (${formatCount(count, payload.language)})` : payload.title;
  const data: NotificationData = { path: pathOf(payload.url), countKey: channelId, postId, count };
  const { icon, image } = payload;
  await show(title, payload, { tag, data, ...(icon !== undefined && { icon }), ...(image !== undefined && { image }) });
}

type ShownPayload = Pick<PostPayload, 'body' | 'language' | 'direction' | 'sentAt'>;

/** Shows a notification. It makes no sound while the reader looks at the app, which shows new posts itself. */
async function show(title: string, { body, language, direction, sentAt }: ShownPayload, options: ShowOptions): Promise<void> {
  const silent = (await findWindows()).some(({ focused }) => focused);
  const shownOptions: ShowOptions = {
    icon: ICON_PATH,
    badge: BADGE_PATH,
    body,
    lang: language,
    dir: direction,
    timestamp: sentAt * 1000,
    silent,
    renotify: !silent,
    ...options,
  };
  await self.registration.showNotification(title, shownOptions);
}

async function showGeneric(): Promise<void> {
  const { language } = navigator;
  const data: NotificationData = { path: HOME_PATH, countKey: null, postId: 0, count: 0 };
  await self.registration.showNotification(genericTitle(language), {
    icon: ICON_PATH,
    badge: BADGE_PATH,
    tag: GENERIC_TAG,
    lang: language,
    data,
  });
}

/** Closes the notification of a channel whose posts were read on another device. */
async function closeRead({ channelId, upTo }: Extract<PushPayload, { readonly type: 'read' }>): Promise<void> {
  await changeCounts(({ [channelId]: counted, ...others }) =>
    counted === undefined || counted.postId <= upTo ? others : { ...others, [channelId]: counted },
  );
  const tag = channelTag(channelId);
  const shown = await findNotification(tag);
  if ((dataOf(shown)?.postId ?? 0) > upTo) return;
  // A browser requires no notification while a window of the app is visible.
  if ((await findWindows()).some(({ visibilityState }) => visibilityState === 'visible')) return shown?.close();
  const language = shown?.lang || navigator.language;
  await self.registration.showNotification(shown?.title ?? genericTitle(language), {
    tag,
    body: readText(language),
    icon: ICON_PATH,
    badge: BADGE_PATH,
    lang: language,
    silent: true,
    data: shown?.data ?? null,
  });
  // The event ends before this: the browser checks then.
  setTimeout(() => void findNotification(tag).then((replaced) => replaced?.close()), CLOSE_DELAY_MS);
}

/** Removes the count of a notification that the reader dismissed. */
export async function forgetCount(notification: Notification): Promise<void> {
  const countKey = dataOf(notification)?.countKey ?? null;
  if (countKey !== null) await changeCounts(({ [countKey]: _, ...others }) => others);
}

/** Removes the count of a digest that the reader opened. The posts of a channel stay counted until they are read. */
export async function forgetDigest(notification: Notification): Promise<void> {
  if (dataOf(notification)?.countKey === DIGEST_TAG) await forgetCount(notification);
}

async function changeCounts(change: (counts: PushCounts) => PushCounts): Promise<void> {
  await setBadge(totalCount(await updatePushCounts(change)));
}

/** Returns the data of a notification; null if it has none of ours. */
export function dataOf(notification: Notification | undefined): NotificationData | null {
  const data: unknown = notification?.data;
  return typeof data === 'object' && data !== null && 'path' in data ? (data as NotificationData) : null;
}

const findNotification = async (tag: string): Promise<Notification | undefined> =>
  (await self.registration.getNotifications({ tag })).at(-1);

const findWindows = () => self.clients.matchAll({ type: 'window', includeUncontrolled: true });

/** Returns the path of an address on this origin; that of the home page for any other address. */
function pathOf(address: string): string {
  const url = URL.canParse(address, self.location.origin) ? new URL(address, self.location.origin) : null;
  return url?.origin === self.location.origin ? url.pathname + url.search : HOME_PATH;
}

function formatCount(count: number, language: string): string {
  try {
    return new Intl.NumberFormat(language).format(count);
  } catch {
    return String(count);
  }
}
