import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { useServices } from '../../context/services.ts';
import { failureOf } from '../../data/connection/connection.ts';
import { follow } from '../../data/lineup/operations.ts';
import type { Channels } from '../../data/model/client.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { roomIn } from './model/capacity.ts';
import { ownChannel, webAddress } from './model/channel-address.ts';
import { type Exchanging, notAddedPhrase } from './shared.ts';
import { useFeeds } from './use-feeds-api.ts';

/** State of adding a URL. */
export type Adding =
  | { readonly type: 'idle' }
  | { readonly type: 'busy' }
  | { readonly type: 'held'; readonly channel: Channel }
  | { readonly type: 'failed'; readonly message: string };

/** Typed text, which survives a page change; removed together with the reader's data layer. */
const drafts = new WeakMap<Channels, string>();

/** Add feed: manages the URL field, and follows the channel behind the URL. */
export function useAddFeed({ rows, change }: Exchanging) {
  const m = useMsg();
  const { msg } = m;
  const { channels } = useServices();
  const connection = useReadable(channels.connection);
  const feeds = useFeeds();
  const [typed, setTyped] = useState(() => drafts.get(channels) ?? '');
  const [adding, setAdding] = useState<Adding>({ type: 'idle' });
  const type = (text: string) => {
    drafts.set(channels, text);
    setTyped(text);
    if (adding.type !== 'busy') setAdding({ type: 'idle' });
  };
  const fail = (message: string) => setAdding({ type: 'failed', message });

  /** Follows a channel; `address` is the URL by which it was requested. */
  const take = (channel: Channel, address: string | null) => {
    const { id: channelId, title } = channel;
    const row = rows.find((each) => each.channel.id === channelId);
    if (row?.followed === true) {
      drafts.delete(channels);
      setTyped('');
      return setAdding({ type: 'held', channel });
    }
    const room = roomIn(rows);
    const isFeed = channel.elsewhere === true;
    if (row === undefined && (room.channels < 1 || (isFeed && room.feeds < 1)))
      return fail(msg('Your line-up is full: it holds 1000 channels at most, 200 of them from elsewhere.'));
    const feed = isFeed && address !== null ? address : undefined;
    change({ act: 'follow', channelId }, follow([channelId], true, feed), msg(str`${title} is in your line-up now`));
    // After the change: a default line-up contains all channels of the directory, so an undo would leave the channel in it.
    if (row === undefined) channels.meet(channel);
    drafts.delete(channels);
    setTyped('');
    setAdding({ type: 'idle' });
  };
  const add = async () => {
    const text = typed.trim();
    if (text === '' || adding.type === 'busy') return;
    const own = ownChannel(
      text,
      rows.map((row) => row.channel),
      location.origin,
    );
    if (own !== null) return take(own, null);
    const address = webAddress(text);
    if (address === null && !/^(?:@|tg:)/i.test(text))
      return fail(msg('This is not a web address. One looks like example.org/feed.xml.'));
    if (connection === 'offline') return fail(msg('You are offline. The address stays here: add it when you are back.'));
    setAdding({ type: 'busy' });
    try {
      take(await feeds.add(address ?? text), address);
    } catch (thrown) {
      const failure = failureOf(thrown);
      fail(failure.unheard ? msg('No answer came. The address stays here: try again in a moment.') : notAddedPhrase(m, failure));
    }
  };
  return { typed, type, adding, add };
}
