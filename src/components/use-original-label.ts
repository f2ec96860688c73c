import { useMsg } from '../i18n/i18n.ts';

/** Original link: returns its label. The items of a feed are not in Telegram. */
export function useOriginalLabel(link: string | undefined): string {
  const { msg } = useMsg();
  return link?.startsWith('https://t.me/') === false ? msg('Open the original') : msg('Open in Telegram');
}
