import type { PostKind } from '../../../contract/api.ts';
import type { SearchQuery } from '../../data/queries/search-types.ts';

/** Search parameters: a search as the query of a URL contains it. */
export interface SearchParams {
  /** Search text. */
  readonly q: string;
  /** Usernames or ids; empty for all channels. */
  readonly channels: readonly string[];
  readonly kinds: readonly PostKind[];
  /** First and last day, as 2026-01-31; '' leaves that side open. */
  readonly from: string;
  readonly to: string;
}

export const EMPTY_SEARCH: SearchParams = { q: '', channels: [], kinds: [], from: '', to: '' };

export const SEARCH_KINDS: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document', 'link', 'poll'];
/** Kinds of posts with files; `media=1` in a URL means all of them. */
export const MEDIA_KINDS: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document'];

/** Maximum length of the search text that the server accepts. The text of a longer link is cut. */
const MAX_QUERY_LENGTH = 200;

type Params = Readonly<Record<string, string>>;

/**
 * Parses a search from a URL; unknown values are ignored. `textParam` is the name of the parameter with the search
 * text.
 */
export function parseSearch(params: Params, textParam: string): SearchParams {
  const mediaKinds = parseList(params.media);
  const [from, to] = [parseDay(params.from), parseDay(params.to)];
  // If the last day is before the first, the two are exchanged.
  const isReversed = from !== '' && to !== '' && to < from;
  return {
    q: params[textParam]?.trim().slice(0, MAX_QUERY_LENGTH) ?? '',
    channels: parseList(params.channels),
    kinds: params.media === '1' ? MEDIA_KINDS : SEARCH_KINDS.filter((kind) => mediaKinds.includes(kind)),
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

const DAY_MS = 86_400_000;
/**
 * Accepted days, unix ms: from FIRST_DAY_MS up to END_DAY_MS, which is not included. The server accepts times from 1970
 * to the year 5138. The range is one day shorter at each end, so that the days are valid in every time zone.
 */
const [FIRST_DAY_MS, END_DAY_MS] = [DAY_MS, 1e14 - DAY_MS];

/** Parses a day in a URL, such as 2026-01-31; '' if it is invalid. */
export function parseDay(raw = ''): string {
  const time = /^\d{4}-\d\d-\d\d$/.test(raw) ? Date.parse(raw) : 0;
  return time >= FIRST_DAY_MS && time < END_DAY_MS && new Date(time).toISOString().startsWith(raw) ? raw : '';
}

/**
 * Returns the query of a search, with unescaped commas. `textParam` is the name of the parameter with the search text,
 * which is always present and first.
 */
export function searchQuery(view: SearchParams, textParam: string): string {
  const { channels, kinds, from, to } = view;
  const entries = [
    [textParam, view.q],
    ['channels', channels.join()],
    ['media', isMediaOnly(kinds) ? '1' : kinds.join()],
    ['from', from],
    ['to', to],
  ].filter(([name, value]) => name === textParam || value !== '');
  return new URLSearchParams(entries).toString().replaceAll('%2C', ',');
}

/** Returns the URL of a search across channels; `/main?search` for an empty search. */
export const searchPath = (view: SearchParams): string => `/main?${searchQuery(view, 'search')}`.replace(/=$/, '');

/** Returns true if the kinds are those of `media=1`: the search is for all posts with files. */
export const isMediaOnly = (kinds: readonly PostKind[]): boolean => kinds.join() === MEDIA_KINDS.join();

/** Returns true if the search has a filter. */
export const isFiltered = ({ channels, kinds, from, to }: SearchParams): boolean =>
  channels.length > 0 || kinds.length > 0 || from !== '' || to !== '';

/** Returns true if the search has a text or a filter. */
export const isSearchActive = (view: SearchParams): boolean => view.q !== '' || isFiltered(view);

export const isSameSearch = (a: SearchParams, b: SearchParams): boolean => searchQuery(a, 'q') === searchQuery(b, 'q');

/**
 * Returns the query for the data layer. Days start and end in the reader's time zone. `scope` lists the channels to
 * search if the reader chose none; an empty list means all channels.
 */
export function toSearchQuery(
  { q, channels, kinds, from, to }: SearchParams,
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

/** Returns the start of a day (such as 2026-01-31) plus `addedDays` in the reader's time zone, unix seconds. */
export function startOfDay(iso: string, addedDays: number): number {
  const [year = 0, month = 1, date = 1] = iso.split('-').map(Number);
  return Math.floor(new Date(year, month - 1, date + addedDays).getTime() / 1000);
}

/** Returns a day in the reader's time zone, in the format of date fields: 2026-01-31. */
export const toIsoDate = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
