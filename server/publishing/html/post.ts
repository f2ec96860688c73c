import type { Channel } from '../../../contract/channel.ts';
import { type Extra, parseExtra } from '../../../contract/extra.ts';
import type { Poll, Post } from '../../../contract/post.ts';
import { attributes, escapeMarkup } from '../../lib/markup.ts';
import { publishedFiles } from '../../publish/files.ts';
import { fileHtml } from '../../publish/files-html.ts';
import { channelAddress, postAddress } from '../site.ts';
import { checkHtml, placeHtml, richHtml } from './rich.ts';
import { lineHtml, wordsHtml } from './text.ts';

/** Reads what a post holds beside text and files; null where it holds nothing, or what nobody can read. */
export function extraOf({ extra }: Post): Extra | null {
  if (extra === undefined) return null;
  try {
    return parseExtra(extra, 'extra');
  } catch {
    return null;
  }
}

/**
 * Makes HTML of a whole post, for whoever shows it away from here: addresses are absolute, nothing in it runs, and what is
 * markup in the post's text stays text. It says nothing in words of its own, for nobody knows the reader's language.
 */
export function postHtml(post: Post, channel: Channel, origin: string): string {
  const home = channelAddress(origin, channel);
  const url = postAddress(origin, channel, post.id);
  const extra = extraOf(post);
  const files = publishedFiles(post, origin);
  const shown = post.media.map((media) => {
    const file = files.find((each) => each.media === media);
    return file ? fileHtml(file, origin) : missingHtml(media.title ?? media.name, post, url);
  });
  const body =
    extra?.type === 'rich'
      ? [richHtml(extra.blocks, { home, url, files: shown })]
      : [wordsHtml(post, home), ...shown, extra === null ? '' : extraHtml(extra, home)];
  return [originHtml(post, channel, origin), ...body, ...attachedHtml(post)].filter(Boolean).join('\n');
}

/** A file that is not here is where the post came from. */
const missingHtml = (name: string | undefined, post: Post, url: string): string =>
  `<p><a${attributes({ href: post.link ?? url })}>${escapeMarkup(name ?? '…')}</a></p>`;

const soft = (text: string): string => `<p dir="auto">${escapeMarkup(text)}</p>`;

/** Whose words they are, and which they answer. */
function originHtml({ forward, reply }: Post, channel: Channel, origin: string): string {
  const from = forward?.name ? soft(`↪ ${forward.name}`) : '';
  if (reply?.excerpt === undefined) return from;
  const answered = reply.channelId === undefined ? channel : { id: reply.channelId };
  const href = postAddress(origin, answered, reply.id);
  return `${from}<blockquote><p dir="auto"><a${attributes({ href })}>${escapeMarkup(reply.excerpt)}</a></p></blockquote>`;
}

const attachedHtml = ({ poll, place, contact, other, link }: Post): string[] => [
  poll ? pollHtml(poll) : '',
  place ? placeHtml(place) : '',
  contact ? contactHtml(contact.name, contact.phone) : '',
  other !== undefined && link !== undefined ? `<p><a${attributes({ href: link })}>${escapeMarkup(other)}</a></p>` : '',
];

const pollHtml = ({ question, options }: Poll): string => {
  const items = options.map(({ text, votes, correct }) =>
    [escapeMarkup(text), votes === undefined ? '' : ` (${votes})`, correct === true ? ' ✓' : ''].join(''),
  );
  return `<p dir="auto"><strong>${escapeMarkup(question)}</strong></p>${listHtml(items)}`;
};

const listHtml = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li dir="auto">${item}</li>`).join('')}</ul>`;

function contactHtml(name: string, phone: string | undefined): string {
  const href = `tel:${phone?.replace(/[^\d+]/g, '')}`;
  const call = phone === undefined ? '' : ` <a${attributes({ href })}>${escapeMarkup(phone)}</a>`;
  return `<p dir="auto">${escapeMarkup(name)}${call}</p>`;
}

function extraHtml(extra: Exclude<Extra, { type: 'rich' }>, home: string): string {
  switch (extra.type) {
    case 'checklist': {
      const tasks = extra.tasks.map((task) => checkHtml(task.done) + lineHtml(task, home));
      return `<p dir="auto"><strong>${lineHtml(extra.title, home)}</strong></p>${listHtml(tasks)}`;
    }
    case 'dice':
      return soft(`${extra.emoji} ${extra.value}`);
    case 'giveaway':
      return soft(['🎁', extra.prize].filter(Boolean).join(' ')) + listHtml(extra.channels.map(escapeMarkup));
    case 'giveaway-over':
      return soft(['🎁', extra.prize].filter(Boolean).join(' ')) + listHtml(extra.names.map(escapeMarkup));
    case 'story':
      return soft(extra.name);
    case 'paid':
      return soft(`⭐ ${extra.stars}`);
    case 'invoice':
    case 'game':
      return soft(extra.title) + soft(extra.about);
    case 'unknown':
      return '';
  }
}
