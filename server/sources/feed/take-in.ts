import type { NumberedItem } from '../../store/feeds.ts';
import { changeChannel } from './change-channel.ts';
import { type ComposedItem, composeItems } from './compose-item.ts';
import { lineOf } from './compose-text.ts';
import type { ReadFeed } from './feed-draft.ts';
import type { FeedWork } from './feed-work.ts';
import { fetchFile, fetchPicture, knownFiles } from './fetch-files.ts';
import { isWanted, messageOf } from './item-message.ts';

/** Files are fetched for the newest posts, so many at a time; the next time goes on. */
const FRESH_ITEMS = 40;
const FILES_A_TIME = 40;

const LONGEST_ABOUT = 500;

/** The items of a feed with their places, oldest first. */
export interface TakenIn {
  readonly items: readonly (readonly [ComposedItem, NumberedItem])[];
  readonly isNews: boolean;
}

/** A feed's title, or its host where it has none. */
export const titleOf = (feed: ReadFeed, url: string): string => lineOf(feed.title, 200) || new URL(url).hostname;

const putItems = async (channelId: string, items: TakenIn['items'], work: FeedWork) => {
  const known = await knownFiles(
    channelId,
    items.flatMap(([{ files }]) => files),
    work,
  );
  const messages = items.map(([item, place], at) => messageOf(channelId, item, place, known, at >= items.length - FRESH_ITEMS));
  return work.store.putMessages(messages);
};

/** Puts what a feed lists into its channel: new items come, changed ones change, and what is not listed any more stays. */
export async function takeIn(channelId: string, feed: ReadFeed, title: string, work: FeedWork): Promise<TakenIn> {
  const now = Math.floor(work.now() / 1000);
  const composed = await composeItems(feed.items, title, now);
  const places = await work.store.numberItems(channelId, composed, now);
  const items = composed.flatMap((item, at) => {
    const place = places[at];
    return place ? [[item, place] as const] : [];
  });
  const { inserted, updated } = await putItems(channelId, items, work);
  return { items, isNews: inserted + updated > 0 };
}

/**
 * Fetches the files of the newest posts that are not here yet, one after another, and shows them. False when some are left for
 * the next time.
 */
export async function takeFiles(channelId: string, { items }: TakenIn, work: FeedWork, signal: AbortSignal): Promise<boolean> {
  const fresh = items.slice(-FRESH_ITEMS);
  const files = fresh.toReversed().flatMap(([item]) => item.files);
  const known = await knownFiles(channelId, files, work);
  const wanted = files.filter((file) => isWanted(file, known));
  for (const file of wanted.slice(0, FILES_A_TIME)) {
    if (signal.aborted) break;
    await fetchFile(channelId, file, work, signal);
  }
  if (wanted.length === 0) return true;
  await putItems(channelId, fresh, work);
  const now = await knownFiles(channelId, wanted, work);
  return !wanted.some((file) => isWanted(file, now));
}

/** Brings a channel's title, description and picture up to what its feed says, and takes note that it is followed. */
export async function takeHead(id: string, feed: ReadFeed, title: string, work: FeedWork, signal: AbortSignal): Promise<void> {
  const picture = feed.picture === null ? null : await fetchPicture(id, feed.picture, work, signal);
  const about = lineOf(feed.about, LONGEST_ABOUT) || null;
  await changeChannel(id, () => ({ title, about, since: null, state: 'live', ...(picture && { picture }) }), work);
}
