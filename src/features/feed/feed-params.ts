/** Feed parameters: filter of the feed, as in the URL. */
export type FeedFilterName = 'all' | 'unread' | 'starred' | 'media';

const FEED_FILTER_NAMES: readonly FeedFilterName[] = ['all', 'unread', 'starred', 'media'];

/** Parses `show` of the URL; an unknown value counts as `all`. */
export const parseFeedFilterName = (raw: string | undefined): FeedFilterName =>
  FEED_FILTER_NAMES.find((show) => show === raw) ?? 'all';

/** Returns the URL of a filter, limited to a preset if one is given; `all` always means all channels. */
export function feedPath(show: FeedFilterName, presetId?: string): string {
  if (show === 'all') return '/main';
  return `/main?${presetId === undefined ? '' : `preset=${encodeURIComponent(presetId)}&`}show=${show}`;
}

/** Parses a list of channels, ids or usernames separated by commas; undefined if it is absent or has no entries. */
export function parseChannelList(raw: string | undefined): readonly string[] | undefined {
  const ids = raw
    ?.split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return ids === undefined || ids.length === 0 ? undefined : ids;
}
