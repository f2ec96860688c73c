import { setImmediate as breathe } from 'node:timers/promises';
import { rememberWords } from '../../domain/search.ts';
import { changeChannel } from '../feed/change-channel.ts';
import { composeItems, type FeedDraft } from '../feed/compose-item.ts';
import type { FeedWork } from '../feed/feed-work.ts';
import { fileRef, messageOf } from '../feed/item-message.ts';

/** The files of so many of the newest items are fetched; an item stays with what it was given when it was first seen. */
const FRESH_ITEMS = 40;

/** Items of one transaction, and their characters unless one item has more: nobody else is answered meanwhile. */
const MAX_ITEMS = 10;
const MAX_CHARACTERS = 8192;

/** A feed's title, or its host where it has none. */
export const titleOf = (feed: FeedDraft, url: string): string => feed.title || new URL(url).hostname;

/**
 * Puts what a feed lists into its channel: new items come, changed ones change, and what is not listed any more stays. True
 * where there was news.
 */
export async function takeIn(channelId: string, feed: FeedDraft, title: string, work: FeedWork): Promise<boolean> {
  const now = Math.floor(work.now() / 1000);
  const composed = await composeItems(feed.items, title, now);
  const read = composed.map((item, at) => ({ ...item, fresh: at >= composed.length - FRESH_ITEMS }));
  let isNews = false;
  for (const items of batchesOf(read)) {
    const places = await work.store.numberItems(channelId, items, now);
    for (const [at, { text }] of items.entries()) if (places[at]?.changed) await rememberWords(text);
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

/** Splits items into those that are written in one transaction. */
function batchesOf<Item extends { readonly text: string }>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let characters = 0;
  for (const item of items) {
    const batch = batches.at(-1);
    characters += item.text.length;
    if (batch !== undefined && batch.length < MAX_ITEMS && characters <= MAX_CHARACTERS) batch.push(item);
    else {
      batches.push([item]);
      characters = item.text.length;
    }
  }
  return batches;
}

/** Brings a channel's title, description and picture up to what its feed says, and takes note that it is followed. */
export async function takeHead(id: string, feed: FeedDraft, title: string, work: FeedWork): Promise<void> {
  const about = feed.about || null;
  await changeChannel(id, () => ({ title, about, since: null, state: 'live' }), work);
  if (feed.picture !== null) await work.store.wantChannelPicture(id, fileRef({ url: feed.picture }));
}
