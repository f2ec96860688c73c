import type { Messages } from '../src/i18n/messages.ts';

/** Texts of the examples page: those of `index.html` by their names there. The build inserts them. Text in backquotes is code. */
export const frame = (msg: Messages['msg']) => ({
  title: msg('Tags for your site'),
  description: msg('Choose what a tag shows, see it live, and copy the lines that put it on your site.'),
  heading: msg('A channel on your site'),
  promise: msg(
    'Choose what to show. The lines below it are all that your page needs. They set no cookie, and fetch nothing from anybody else.',
  ),
  scripts: msg('This page shows live tags, and needs scripts.'),
  choices: msg('What the tag shows'),
  live: msg('Preview'),
  width: msg('Width'),
  stage: msg('The tag, live'),
  lines: msg('For your page'),
  version: msg('Version'),
  ahead: msg('First posts come with the page'),
  'about-ahead': msg(
    'One more line for your page’s head, and the tag shows them a trip sooner. For the newest version, in a language that is chosen: the line names it.',
  ),
  copy: msg('Copy'),
  private: msg('A private channel'),
  'about-private': msg(
    'Your server decides who reads it: it signs a grant with a key that the operators’ page makes, and the page sets it. `docs/private-channels.md` of the source has the code for Node, Python and PHP.',
  ),
  reference: msg('Reference'),
});
