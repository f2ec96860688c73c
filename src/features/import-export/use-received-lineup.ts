import { useCallback, useEffect, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { toRequestFailure } from '../../data/connection/connection.ts';
import { decodeLineupLink, type ParsedLineupLink } from './model/lineup-link.ts';
import type { ImportExportProps } from './shared.ts';
import { useFeedsApi } from './use-feeds-api.ts';

/** Maximum number of channels in one request to the server. */
const MAX_QUERIED_IDS = 200;

/** Received line-up: the result of opening a link to a line-up on this site. */
export type ReceivedLineup =
  | Extract<ParsedLineupLink, { type: 'refused' }>
  | { readonly type: 'looking' }
  | {
      readonly type: 'found';
      readonly name: string;
      /** Channels that this reader can read here, in the order of the link. */
      readonly channels: readonly Channel[];
      /** Number of channels that are not available here. */
      readonly left: number;
      /** True if the server did not respond about some of them. */
      readonly unheard: boolean;
    };

/** Parses a link and finds its channels: in the reader's directory, or for external feeds by a request. */
export function useReceivedLineup(
  code: string,
  rows: ImportExportProps['rows'],
): { readonly shared: ReceivedLineup; readonly look: () => void } {
  const feeds = useFeedsApi();
  const read = useMemo(() => decodeLineupLink(code), [code]);
  const [asked, setAsked] = useState<{ readonly channels: readonly Channel[]; readonly unheard: boolean } | null>(null);
  // Rows at the time when the sheet opened: a channel that is taken over must not look as if it was there before.
  const [known] = useState(() => new Map(rows.map(({ channel }) => [channel.id, channel])));
  const look = useCallback(async () => {
    const ids = read.type === 'read' ? read.shared.channelIds : [];
    const unknown = ids.filter((id) => id.startsWith('f-') && !known.has(id)).slice(0, MAX_QUERIED_IDS);
    setAsked(null);
    try {
      setAsked({ channels: unknown.length === 0 ? [] : await feeds.findExisting(unknown), unheard: false });
    } catch (thrown) {
      setAsked({ channels: [], unheard: toRequestFailure(thrown).unreachable });
    }
  }, [feeds, read, known]);
  useEffect(() => void look(), [look]);
  const shared = useMemo((): ReceivedLineup => {
    if (read.type === 'refused') return read;
    if (asked === null) return { type: 'looking' };
    const here = new Map([...known, ...asked.channels.map((channel) => [channel.id, channel] as const)]);
    const { name, channelIds } = read.shared;
    const channels = channelIds.flatMap((id) => here.get(id) ?? []);
    return { type: 'found', name, channels, left: channelIds.length - channels.length, unheard: asked.unheard };
  }, [read, asked, known]);
  return { shared, look: () => void look() };
}
