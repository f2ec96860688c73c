import { useMsg } from '../i18n/i18n.ts';

/** Returns the label of the link to a post's original, which is in Telegram, or on another site for the items of a feed. */
export function useOriginalLabel(link: string | undefined): string {
  const { msg } = useMsg();
  return link?.startsWith('https://t.me/') === false ? msg('Open the original') : msg('Open in Telegram');
}
