import type { PostKind } from '../../../contract/api.ts';
import type { Channel } from '../../../contract/channel.ts';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';

/** Filter labels: names of channels, kinds and dates in the reader's language. */
export interface FilterLabels {
  channel(idOrUsername: string): string;
  kind(kind: PostKind): string;
  /** Receives `from` and `to` as 2026-01-31, '' for an open end. */
  dates(from: string, to: string): string;
}

export function useFilterLabels(): FilterLabels {
  const m = useMsg();
  const channels = useDirectory();
  return {
    channel: (name) => channels.find((channel) => matchesChannelName(channel, name))?.title ?? name,
    kind: (kind) => kindNames(m)[kind],
    dates: (from, to) => datesText(m, from, to),
  };
}

/** Returns every channel that the reader may see; an empty list while they load. */
export function useDirectory(): readonly Channel[] {
  const directory = useSignalValue(useServices().dataClient.directory);
  return directory.type === 'loaded' ? directory.value : NO_CHANNELS;
}
const NO_CHANNELS: readonly Channel[] = [];

/** Returns true if `name` is the channel's id, or its username in any case. */
export const matchesChannelName = ({ id, username }: Channel, name: string): boolean =>
  id === name || username?.toLowerCase() === name.toLowerCase();

/** Returns the name that a URL uses for a channel. */
export const channelParam = ({ id, username }: Channel): string => username ?? id;

export const kindNames = ({ msg }: Messages): Readonly<Record<PostKind, string>> => ({
  photo: msg('Photos'),
  video: msg('Videos'),
  audio: msg('Music and audio'),
  voice: msg('Voice messages'),
  document: msg('Files'),
  link: msg('Links'),
  poll: msg('Polls'),
});

function datesText(m: Messages, from: string, to: string): string {
  const format = new Intl.DateTimeFormat(m.localeTag(), { dateStyle: 'medium' });
  const day = (iso: string) => new Date(`${iso}T00:00`);
  if (from !== '' && to !== '') return from === to ? format.format(day(from)) : format.formatRange(day(from), day(to));
  return from === '' ? m.msg(str`until ${format.format(day(to))}`) : m.msg(str`since ${format.format(day(from))}`);
}
