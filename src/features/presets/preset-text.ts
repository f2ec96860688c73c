/* Preset texts: announcements, counts and URLs of presets. */
import type { Preset } from '../../../contract/lineup.ts';
import { countUnread } from '../../data/lineup/count-unread.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/** Returns the announcement of an activated preset: "Preset Morning, 3 channels"; null is the complete line-up. */
export function presetText(m: Messages, preset: Preset | null, followed: readonly LineupRow[]): string {
  const count = followed.filter((row) => preset?.channelIds.includes(row.channel.id) ?? true).length;
  const channels = channelCount(m, count);
  return preset === null ? m.msg(str`All channels: ${channels}`) : m.msg(str`Preset ${preset.name}, ${channels}`);
}

/** Returns a number of channels as text: "3 channels". */
export const channelCount = (m: Messages, count: number): string => m.plural(count, m.msg('one: # channel | other: # channels'));

/** Returns the URL of a page with an active preset, and with the filter of the feed. */
export function presetPath(page: '/changer' | '/main', id: string | undefined, show = 'all'): string {
  const parameters = [id !== undefined && `preset=${encodeURIComponent(id)}`, show !== 'all' && `show=${show}`];
  const search = parameters.filter((parameter) => parameter !== false).join('&');
  return search === '' ? page : `${page}?${search}`;
}

/** Number of unread posts of a preset, counted over its channels among `rows`. */
export const unreadOfPreset = ({ channelIds }: Preset, rows: readonly LineupRow[]): number =>
  countUnread(rows.filter(({ channel }) => channelIds.includes(channel.id)));

/** Returns the preset after this one: all channels, then each preset, then all channels again. */
export const nextPreset = (all: readonly Preset[], current: Preset | null): Preset | null =>
  all[current === null ? 0 : all.indexOf(current) + 1] ?? null;
