import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { useServices } from '../../context/services.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import { setFollowed } from '../../data/lineup/operations.ts';
import type { DataClient } from '../../data/model/client.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { remainingCapacity } from './model/capacity.ts';
import { findLinkedChannel, parseWebAddress } from './model/channel-address.ts';
import { type ImportExportProps, notAddedText } from './shared.ts';
import { useFeedsApi } from './use-feeds-api.ts';

/** State of adding a URL. */
export type AddFeedState =
  | { readonly type: 'idle' }
  | { readonly type: 'busy' }
  | { readonly type: 'already-added'; readonly channel: Channel }
  | { readonly type: 'failed'; readonly message: string };

/** Typed text by data client: it survives a page change, and is removed together with the data client. */
const addressDrafts = new WeakMap<DataClient, string>();

/** Add feed: manages the URL field, and follows the channel behind the URL. */
export function useAddFeed({ rows, change }: ImportExportProps) {
  const m = useMsg();
  const { msg } = m;
  const { dataClient } = useServices();
  const connection = useSignalValue(dataClient.connectivity);
  const feeds = useFeedsApi();
  const [typed, setTyped] = useState(() => addressDrafts.get(dataClient) ?? '');
  const [adding, setAdding] = useState<AddFeedState>({ type: 'idle' });
  const updateTyped = (text: string) => {
    addressDrafts.set(dataClient, text);
    setTyped(text);
    if (adding.type !== 'busy') setAdding({ type: 'idle' });
  };
  const fail = (message: string) => setAdding({ type: 'failed', message });

  /** Follows a channel; `address` is the URL by which it was requested. */
  const follow = (channel: Channel, address: string | null) => {
    const { id: channelId, title } = channel;
    const row = rows.find((candidate) => candidate.channel.id === channelId);
    if (row?.followed === true) {
      addressDrafts.delete(dataClient);
      setTyped('');
      return setAdding({ type: 'already-added', channel });
    }
    const capacity = remainingCapacity(rows);
    const isFeed = channel.elsewhere === true;
    if (row === undefined && (capacity.channels < 1 || (isFeed && capacity.feeds < 1)))
      return fail(msg('Your line-up is full: it holds 1000 channels at most, 200 of them from elsewhere.'));
    const feed = isFeed && address !== null ? address : undefined;
    change({ action: 'follow', channelId }, setFollowed([channelId], true, feed), msg(str`${title} is in your line-up now`));
    // Only after the change: a default line-up contains all channels of the directory. If it was added before, an undo
    // would leave the channel in the line-up.
    if (row === undefined) dataClient.addChannel(channel);
    addressDrafts.delete(dataClient);
    setTyped('');
    setAdding({ type: 'idle' });
  };
  /** Adds the typed URL, unless it is empty or another one is being added. */
  const add = async () => {
    const text = typed.trim();
    if (text === '' || adding.type === 'busy') return;
    const linked = findLinkedChannel(
      text,
      rows.map((row) => row.channel),
      location.origin,
    );
    if (linked !== null) return follow(linked, null);
    const address = parseWebAddress(text);
    if (address === null && !/^(?:@|tg:)/i.test(text))
      return fail(msg('This is not a web address. One looks like example.org/feed.xml.'));
    if (connection === 'offline') return fail(msg('You are offline. The address stays here: add it when you are back online.'));
    setAdding({ type: 'busy' });
    try {
      follow(await feeds.add(address ?? text), address);
    } catch (thrown) {
      const failure = toRequestFailure(thrown);
      fail(
        failure.unreachable ? msg('No answer came. The address stays here: try again in a moment.') : notAddedText(m, failure),
      );
    }
  };
  return { typed, type: updateTyped, adding, add };
}
