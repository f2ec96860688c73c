import type { Preset } from '../../../contract/lineup.ts';
import { countUnread } from '../../data/lineup/count-unread.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { type Messages, str } from '../../i18n/i18n.ts';

/** What is said of a preset that comes on: "Preset Morning, 3 channels"; null is the whole line-up. */
export function presetPhrase(m: Messages, preset: Preset | null, followed: readonly LineupRow[]): string {
  const count = followed.filter((row) => preset?.channelIds.includes(row.channel.id) ?? true).length;
  const channels = channelCount(m, count);
  return preset === null ? m.msg(str`All channels: ${channels}`) : m.msg(str`Preset ${preset.name}, ${channels}`);
}

/** "3 channels". */
export const channelCount = (m: Messages, count: number): string => m.plural(count, m.msg('one: # channel | other: # channels'));

/** The address of a page with a preset on, and what of its posts the feed shows. */
export function presetPath(page: '/changer' | '/main', id: string | undefined, show = 'all'): string {
  const query = [id !== undefined && `preset=${encodeURIComponent(id)}`, show !== 'all' && `show=${show}`];
  const given = query.filter((part) => part !== false).join('&');
  return given === '' ? page : `${page}?${given}`;
}

/** Number of unread posts that a preset leads to: those of its channels that are on. */
export const unreadOfPreset = ({ channelIds }: Preset, rows: readonly LineupRow[]): number =>
  countUnread(rows.filter(({ channel }) => channelIds.includes(channel.id)));

/** The preset after this one: all, then each, then all again. */
export const nextPreset = (all: readonly Preset[], on: Preset | null): Preset | null =>
  all[on === null ? 0 : all.indexOf(on) + 1] ?? null;
