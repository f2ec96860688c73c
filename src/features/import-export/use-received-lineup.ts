import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { MAX_CHANNELS_PER_REQUEST } from '../../../contract/limits.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import { decodeLineupLink, type ParsedLineupLink } from './model/lineup-link.ts';
import type { ImportExportProps } from './shared.ts';
import { useFeedsApi } from './use-feeds-api.ts';

/** Received line-up: the result of opening a link to a line-up on this site. */
export type ReceivedLineup =
  | Extract<ParsedLineupLink, { type: 'rejected' }>
  | { readonly type: 'loading' }
  | {
      readonly type: 'found';
      readonly name: string;
      /** Channels that this reader can read here, in the order of the link. */
      readonly channels: readonly Channel[];
      /** Number of channels that are not available here. */
      readonly unavailableCount: number;
      /** True if the server did not respond about some of them. */
      readonly isUnreachable: boolean;
    };

/** Parses a link and finds its channels: those that are not loaded by a request. */
export function useReceivedLineup(
  code: string,
  rows: ImportExportProps['rows'],
): { readonly shared: ReceivedLineup; readonly retry: () => void } {
  const feeds = useFeedsApi();
  const parsed = useMemo(() => decodeLineupLink(code), [code]);
  const [result, setResult] = useState<{ readonly channels: readonly Channel[]; readonly isUnreachable: boolean } | null>(null);
  // Channels at the time when the sheet opened: a channel that is added from this sheet must not look as if it was in
  // the line-up before.
  const [knownChannels] = useState(() => new Map(rows.map(({ channel }) => [channel.id, channel])));
  const find = useCallback(async () => {
    const ids = parsed.type === 'read' ? parsed.shared.channelIds : [];
    const unknownIds = ids.filter((id) => !knownChannels.has(id)).slice(0, MAX_CHANNELS_PER_REQUEST);
    setResult(null);
    try {
      setResult({ channels: unknownIds.length === 0 ? [] : await feeds.findExisting(unknownIds), isUnreachable: false });
    } catch (thrown) {
      setResult({ channels: [], isUnreachable: toRequestFailure(thrown).unreachable });
    }
  }, [feeds, parsed, knownChannels]);
  useEffect(() => void find(), [find]);
  const shared = useMemo((): ReceivedLineup => {
    if (parsed.type === 'rejected') return parsed;
    if (result === null) return { type: 'loading' };
    const available = new Map([...knownChannels, ...result.channels.map((channel) => [channel.id, channel] as const)]);
    const { name, channelIds } = parsed.shared;
    const channels = channelIds.flatMap((id) => available.get(id) ?? []);
    return {
      type: 'found',
      name,
      channels,
      unavailableCount: channelIds.length - channels.length,
      isUnreachable: result.isUnreachable,
    };
  }, [parsed, result, knownChannels]);
  return { shared, retry: () => void find() };
}
