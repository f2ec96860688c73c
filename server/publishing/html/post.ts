// Post HTML: renders a post as static markup for feeds and other consumers outside the app.

import type { Channel } from '../../../contract/channel.ts';
import type { PostExtra } from '../../../contract/extra.ts';
import type { Poll, Post } from '../../../contract/post.ts';
import { escapeMarkup, formatAttributes } from '../../lib/markup.ts';
import { extraOf, type PublishedFile, publishedFiles } from '../post-summary.ts';
import { channelAddress, postAddress } from '../site.ts';
import { checkboxHtml, richHtml, venueHtml } from './rich.ts';
import { lineHtml, spoilerHtml, textHtml } from './text.ts';

/**
 * Renders a complete post as HTML for use outside the app. Addresses are absolute, no part is executable, and markup in
 * the post's text stays text. It adds no labels, because the reader's language is unknown.
 */
export function postHtml(post: Post, channel: Channel, origin: string): string {
  const home = channelAddress(origin, channel);
  const url = postAddress(origin, channel, post.id);
  const extra = extraOf(post);
  const files = publishedFiles(post, origin);
  const mediaHtml = post.media.map((media) => {
    const file = files.find((candidate) => candidate.media === media);
    return file ? fileHtml(file, origin) : missingHtml(media.title ?? media.name, post, url);
  });
  const body =
    extra?.type === 'rich'
      ? [richHtml(extra.blocks, { home, url, files: mediaHtml })]
      : [textHtml(post, home), ...mediaHtml, extra === null ? '' : extraHtml(extra, home)];
  return [originHtml(post, channel, origin), ...body, ...attachmentsHtml(post)].filter(Boolean).join('\n');
}

/** Links a file that is not stored here to the original post. */
const missingHtml = (name: string | undefined, post: Post, url: string): string =>
  `<p><a${formatAttributes({ href: post.link ?? url })}>${escapeMarkup(name ?? '…')}</a></p>`;

const textParagraphHtml = (text: string): string => `<p dir="auto">${escapeMarkup(text)}</p>`;

/** Renders the source of a forwarded post, and an excerpt of the post that it replies to. */
function originHtml({ forward, reply }: Post, channel: Channel, origin: string): string {
  const forwardHtml = forward?.name ? textParagraphHtml(`↪ ${forward.name}`) : '';
  if (reply?.excerpt === undefined) return forwardHtml;
  const replyChannel = reply.channelId === undefined ? channel : { id: reply.channelId };
  const href = postAddress(origin, replyChannel, reply.id);
  return `${forwardHtml}<blockquote><p dir="auto"><a${formatAttributes({ href })}>${escapeMarkup(reply.excerpt)}</a></p></blockquote>`;
}

const attachmentsHtml = ({ poll, place, contact, other, link }: Post): string[] => [
  poll ? pollHtml(poll) : '',
  place ? venueHtml(place) : '',
  contact ? contactHtml(contact.name, contact.phone) : '',
  other !== undefined && link !== undefined ? `<p><a${formatAttributes({ href: link })}>${escapeMarkup(other)}</a></p>` : '',
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
  const phoneLink = phone === undefined ? '' : ` <a${formatAttributes({ href })}>${escapeMarkup(phone)}</a>`;
  return `<p dir="auto">${escapeMarkup(name)}${phoneLink}</p>`;
}

function extraHtml(extra: Exclude<PostExtra, { type: 'rich' }>, home: string): string {
  switch (extra.type) {
    case 'checklist': {
      const tasks = extra.tasks.map((task) => checkboxHtml(task.done) + lineHtml(task, home));
      return `<p dir="auto"><strong>${lineHtml(extra.title, home)}</strong></p>${listHtml(tasks)}`;
    }
    case 'dice':
      return textParagraphHtml(`${extra.emoji} ${extra.value}`);
    case 'giveaway':
      return textParagraphHtml(['🎁', extra.prize].filter(Boolean).join(' ')) + listHtml(extra.channels.map(escapeMarkup));
    case 'giveaway-over':
      return textParagraphHtml(['🎁', extra.prize].filter(Boolean).join(' ')) + listHtml(extra.names.map(escapeMarkup));
    case 'story':
      return textParagraphHtml(extra.name);
    case 'paid':
      return textParagraphHtml(`⭐ ${extra.stars}`);
    case 'invoice':
    case 'game':
      return textParagraphHtml(extra.title) + textParagraphHtml(extra.about);
    case 'unknown':
      return '';
  }
}

/** Renders a file: a picture as an image, audio and video with the browser's controls, everything else as a link. */
function fileHtml(file: PublishedFile, origin: string): string {
  const { medium, media } = file;
  if (medium === 'document') return `<p>${linkHtml(file)}</p>`;
  const contentHtml = medium === 'image' ? pictureHtml(file) : playerHtml(file, origin);
  const caption = medium === 'audio' && file.title !== null ? `<figcaption>${escapeMarkup(file.title)}</figcaption>` : '';
  const figure = `<figure>${contentHtml}${caption}</figure>`;
  return media.spoiler === true ? spoilerHtml(figure) : figure;
}

const linkHtml = ({ url, title }: PublishedFile): string =>
  `<a${formatAttributes({ href: url })}>${escapeMarkup(title ?? '…')}</a>`;

const pictureHtml = ({ url, media: { width, height, emoji } }: PublishedFile): string =>
  `<img${formatAttributes({ src: url, width, height, alt: emoji ?? '' })}>`;

function playerHtml(file: PublishedFile, origin: string): string {
  const { url, medium, media } = file;
  const poster = medium === 'video' && media.poster ? origin + media.poster.src : null;
  const size = medium === 'video' ? { width: media.width, height: media.height } : {};
  return `<${medium}${formatAttributes({ src: url, ...size, poster, preload: 'none', controls: '' })}>${linkHtml(file)}</${medium}>`;
}
