import { useMsg } from '../i18n/i18n.ts';

/** Gives the words for the way to a post at its source: a feed's items are not in Telegram. */
export function useOriginal(link: string | undefined): string {
  const { msg } = useMsg();
  return link?.startsWith('https://t.me/') === false ? msg('Open the original') : msg('Open in Telegram');
}
