import type { PostKind } from '../../../contract/api.ts';
import type { SearchQuery } from '../../data/queries/search-types.ts';

/** Search parameters in a URL. */
export interface SearchView {
  readonly q: string;
  /** Usernames or ids; empty for all channels. */
  readonly channels: readonly string[];
  readonly kinds: readonly PostKind[];
  /** First and last day, as 2026-01-31; '' leaves that side open. */
  readonly from: string;
  readonly to: string;
}

export const EMPTY_SEARCH: SearchView = { q: '', channels: [], kinds: [], from: '', to: '' };

export const SEARCH_KINDS: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document', 'link', 'poll'];
/** Kinds that media=1 in a URL means: all files. */
export const MEDIA_KINDS: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document'];

/** Maximum length of the search text that the server accepts; a link may contain more. */
const MAX_QUERY_LENGTH = 200;

type Params = Readonly<Record<string, string>>;

/** Parses a search from a URL; unknown values are ignored. `q` is the name of the text parameter. */
export function parseSearch(params: Params, q: string): SearchView {
  const mediaNames = parseList(params.media);
  const [from, to] = [parseDay(params.from), parseDay(params.to)];
  // If the last day comes first, the range is reversed.
  const isReversed = from !== '' && to !== '' && to < from;
  return {
    q: params[q]?.trim().slice(0, MAX_QUERY_LENGTH) ?? '',
    channels: parseList(params.channels),
    kinds: params.media === '1' ? MEDIA_KINDS : SEARCH_KINDS.filter((kind) => mediaNames.includes(kind)),
    from: isReversed ? to : from,
    to: isReversed ? from : to,
  };
}

const parseList = (raw: string | undefined): readonly string[] => [
  ...new Set(
    (raw ?? '')
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  ),
];

/**
 * First and last accepted day, ms: in every time zone, the ends of the days are times that the server accepts, from 1970 to the
 * year 5138.
 */
const [DAY, LAST_DAY] = [86_400_000, 1e14 - 86_400_000];

/** Parses a day in a URL, as 2026-01-31; '' if it is invalid. */
export function parseDay(raw = ''): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(raw) ? Date.parse(raw) : 0;
  return time >= DAY && time < LAST_DAY && new Date(time).toISOString().startsWith(raw) ? raw : '';
}

/** Returns the query of a search, with unescaped commas. `q` is the name of the text parameter, which is always the first. */
export function searchQuery(view: SearchView, q: string): string {
  const { channels, kinds, from, to } = view;
  const entries = [
    [q, view.q],
    ['channels', channels.join()],
    ['media', isMediaOnly(kinds) ? '1' : kinds.join()],
    ['from', from],
    ['to', to],
  ].filter(([name, value]) => name === q || value !== '');
  return new URLSearchParams(entries).toString().replaceAll('%2C', ',');
}

/** Returns the URL of a search across channels; `/main?search` for an empty search. */
export const searchPath = (view: SearchView): string => `/main?${searchQuery(view, 'search')}`.replace(/=$/, '');

/** Returns true if the kinds are those of media=1. */
export const isMediaOnly = (kinds: readonly PostKind[]): boolean => kinds.join() === MEDIA_KINDS.join();

export const isFiltered = ({ channels, kinds, from, to }: SearchView): boolean =>
  channels.length > 0 || kinds.length > 0 || from !== '' || to !== '';

/** Returns true if the search has a text or a filter. */
export const isSearchActive = (view: SearchView): boolean => view.q !== '' || isFiltered(view);

export const isSameSearch = (a: SearchView, b: SearchView): boolean => searchQuery(a, 'q') === searchQuery(b, 'q');

/**
 * Returns the query for the data layer; days start and end in the reader's time zone. `scope` are the channels to search if
 * none is chosen.
 */
export function toSearchQuery(
  { q, channels, kinds, from, to }: SearchView,
  scope: readonly string[],
  limit?: number,
): SearchQuery {
  const channelIds = channels.length > 0 ? channels : scope;
  return {
    ...(q !== '' && { q }),
    ...(channelIds.length > 0 && { channelIds }),
    ...(kinds.length > 0 && { kinds }),
    ...(from !== '' && { from: startOfDay(from, 0) }),
    ...(to !== '' && { to: startOfDay(to, 1) - 1 }),
    ...(limit !== undefined && { limit }),
  };
}

/** Returns the midnight that starts a day, or a later one by `later` days, in unix seconds. */
export function startOfDay(iso: string, later: number): number {
  const [year = 0, month = 1, date = 1] = iso.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, date + later).getTime() / 1000);
}

/** Returns a day in the reader's time zone in the format of date fields. */
export const toIsoDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
