/** What the feed shows; a word of the address. */
export type Show = 'all' | 'unread' | 'starred' | 'media';

const SHOWS: readonly Show[] = ['all', 'unread', 'starred', 'media'];

/** Reads `show` of the address; what it does not know is all. */
export const readShow = (raw: string | undefined): Show => SHOWS.find((show) => show === raw) ?? 'all';

/** The address of what the feed shows; of a preset alone where one is named, but all is always all channels. */
export function showPath(show: Show, presetId?: string): string {
  if (show === 'all') return '/main';
  return `/main?${presetId === undefined ? '' : `preset=${encodeURIComponent(presetId)}&`}show=${show}`;
}

/** Reads a list of channels as an attribute gives it: ids or usernames with commas between. */
export function readChannels(raw: string | undefined): readonly string[] | undefined {
  const ids = raw
    ?.split(',')
    .map((id) => id.trim())
    .filter((id) => id !== '');
  return ids === undefined || ids.length === 0 ? undefined : ids;
}
