import type { PostKind } from '../../../contract/api.ts';
import type { SearchQuery } from '../../data/queries/search-types.ts';

/** What is searched for, in the words of an address. */
export interface SearchView {
  readonly q: string;
  /** Usernames or ids; none are all channels. */
  readonly channels: readonly string[];
  readonly kinds: readonly PostKind[];
  /** The first and the last day, as 2026-01-31; '' leaves that side open. */
  readonly from: string;
  readonly to: string;
}

export const NOTHING: SearchView = { q: '', channels: [], kinds: [], from: '', to: '' };

export const KINDS: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document', 'link', 'poll'];
/** What an address calls media=1: whatever is a file. */
export const MEDIA: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document'];

/** So many characters of words the server takes: a link may hold more. */
const LONGEST = 200;

type Params = Readonly<Record<string, string>>;

/** Reads a search from an address; what it does not know is left out. `q` is what the words are called there. */
export function readSearch(params: Params, q: string): SearchView {
  const asked = list(params.media);
  const [from, to] = [readDay(params.from), readDay(params.to)];
  // Whoever wrote the last day first meant the days between.
  const isTurned = from !== '' && to !== '' && to < from;
  return {
    q: params[q]?.trim().slice(0, LONGEST) ?? '',
    channels: list(params.channels),
    kinds: params.media === '1' ? MEDIA : KINDS.filter((kind) => asked.includes(kind)),
    from: isTurned ? to : from,
    to: isTurned ? from : to,
  };
}

const list = (raw: string | undefined): readonly string[] => [
  ...new Set(
    (raw ?? '')
      .split(',')
      .map((one) => one.trim())
      .filter(Boolean),
  ),
];

/** Days whose ends are times that the server accepts in every time zone, ms: from 1970 to the year 5138. */
const [DAY, LAST_DAY] = [86_400_000, 1e14 - 86_400_000];

/** Reads a day of an address, as 2026-01-31; '' where it is none. */
export function readDay(raw = ''): string {
  const at = /^\d{4}-\d\d-\d\d$/.test(raw) ? Date.parse(raw) : 0;
  return at >= DAY && at < LAST_DAY && new Date(at).toISOString().startsWith(raw) ? raw : '';
}

/** The query of a search, commas as commas; `q` is what the words are called there, and always stands first. */
export function searchQuery(view: SearchView, q: string): string {
  const { channels, kinds, from, to } = view;
  const given = [
    [q, view.q],
    ['channels', channels.join()],
    ['media', isMedia(kinds) ? '1' : kinds.join()],
    ['from', from],
    ['to', to],
  ].filter(([name, value]) => name === q || value !== '');
  return new URLSearchParams(given).toString().replaceAll('%2C', ',');
}

/** The address of a search across channels; `/main?search` where nothing is asked. */
export const searchPath = (view: SearchView): string => `/main?${searchQuery(view, 'search')}`.replace(/=$/, '');

/** Whether the kinds are what media=1 means. */
export const isMedia = (kinds: readonly PostKind[]): boolean => kinds.join() === MEDIA.join();

export const isFiltered = ({ channels, kinds, from, to }: SearchView): boolean =>
  channels.length > 0 || kinds.length > 0 || from !== '' || to !== '';

/** Whether there is anything to look for. */
export const isAsking = (view: SearchView): boolean => view.q !== '' || isFiltered(view);

export const isSame = (a: SearchView, b: SearchView): boolean => searchQuery(a, 'q') === searchQuery(b, 'q');

/** What the data area is asked: days begin and end where the reader is. `scope` are the channels where none is chosen. */
export function toQuery({ q, channels, kinds, from, to }: SearchView, scope: readonly string[], limit?: number): SearchQuery {
  const channelIds = channels.length > 0 ? channels : scope;
  return {
    ...(q !== '' && { q }),
    ...(channelIds.length > 0 && { channelIds }),
    ...(kinds.length > 0 && { kinds }),
    ...(from !== '' && { from: startOf(from, 0) }),
    ...(to !== '' && { to: startOf(to, 1) - 1 }),
    ...(limit !== undefined && { limit }),
  };
}

/** Midnight of a day, or of one so many days later, in unix seconds. */
export function startOf(iso: string, later: number): number {
  const [year = 0, month = 1, date = 1] = iso.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, date + later).getTime() / 1000);
}

/** A day as date fields write it, where the reader is. */
export const isoOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
