import type { Messages } from '../src/i18n/messages.ts';

/** Texts of the examples page: those of `index.html` by their names there. The build inserts them. Text in backquotes is code. */
export const frame = (msg: Messages['msg']) => ({
  title: msg('Tags for your site'),
  description: msg('Choose what a tag shows, see it live, and copy the lines that put it on your site.'),
  heading: msg('A channel on your site'),
  promise: msg(
    'Choose what to show. Your page needs only the lines below the preview. They set no cookie, and send no request to other servers.',
  ),
  scripts: msg('This page shows live tags, and needs JavaScript.'),
  choices: msg('What the tag shows'),
  live: msg('Preview'),
  width: msg('Width'),
  stage: msg('The tag, live'),
  lines: msg('For your page'),
  version: msg('Version'),
  ahead: msg('Preload the first posts'),
  'about-ahead': msg(
    'Adds one line for the head of your page. The tag then shows its first posts one request earlier. Only for the newest version, and only if you choose a language: the line contains it.',
  ),
  copy: msg('Copy'),
  private: msg('A private channel'),
  'about-private': msg(
    'Your server decides who can read it. It signs a grant with a key from the operators’ page, and your page sets the grant on the tag. `docs/private-channels.md` in the source code has samples for Node, Python and PHP.',
  ),
  reference: msg('Reference'),
});
