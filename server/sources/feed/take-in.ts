import { setImmediate as breathe } from 'node:timers/promises';
import { changeChannel } from './change-channel.ts';
import { composeItems } from './compose-item.ts';
import { lineOf } from './compose-text.ts';
import type { ReadFeed } from './feed-draft.ts';
import type { FeedWork } from './feed-work.ts';
import { fileRef, messageOf } from './item-message.ts';

/** The files of so many of the newest items are fetched; an item stays with what it was given when it was first seen. */
const FRESH_ITEMS = 40;

/** Items that are written in one transaction: everybody else waits for as many posts of 8192 letters. */
const ITEMS_A_WRITE = 10;

const LONGEST_ABOUT = 500;

/** A feed's title, or its host where it has none. */
export const titleOf = (feed: ReadFeed, url: string): string => lineOf(feed.title, 200) || new URL(url).hostname;

/**
 * Puts what a feed lists into its channel: new items come, changed ones change, and what is not listed any more stays. True
 * where there was news.
 */
export async function takeIn(channelId: string, feed: ReadFeed, title: string, work: FeedWork): Promise<boolean> {
  const now = Math.floor(work.now() / 1000);
  const composed = await composeItems(feed.items, title, now);
  const read = composed.map((item, at) => ({ ...item, fresh: at >= composed.length - FRESH_ITEMS }));
  let isNews = false;
  for (let from = 0; from < composed.length; from += ITEMS_A_WRITE) {
    const items = composed.slice(from, from + ITEMS_A_WRITE);
    const places = await work.store.numberItems(channelId, read.slice(from, from + ITEMS_A_WRITE), now);
    const messages = items.flatMap((item, at) => {
      const place = places[at];
      return place ? [messageOf(channelId, item, place)] : [];
    });
    const { inserted, updated } = await work.store.putMessages(messages);
    isNews ||= inserted + updated > 0;
    await breathe();
  }
  return isNews;
}

/** Brings a channel's title, description and picture up to what its feed says, and takes note that it is followed. */
export async function takeHead(id: string, feed: ReadFeed, title: string, work: FeedWork): Promise<void> {
  const about = lineOf(feed.about, LONGEST_ABOUT) || null;
  await changeChannel(id, () => ({ title, about, since: null, state: 'live' }), work);
  if (feed.picture !== null) await work.store.wantChannelPicture(id, fileRef({ url: feed.picture }));
}
