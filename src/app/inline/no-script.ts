import type { Messages } from '../../i18n/i18n.ts';

/** No-script page: its texts. The build writes them into the shell in each language. */
export const noScriptTexts = ({ msg }: Pick<Messages, 'msg'>) => ({
  text: msg('This page needs JavaScript. Allow it in your browser and load the page again.'),
  link: msg('Read the newest posts without JavaScript'),
});
