import { attributes, escapeMarkup } from '../lib/markup.ts';
import { coverHtml } from '../publishing/html/text.ts';
import type { PublishedFile } from './files.ts';

/** Makes HTML of a file: a picture is shown, what plays has the browser's own buttons, all else is a link. */
export function fileHtml(file: PublishedFile, origin: string): string {
  const { medium, media } = file;
  if (medium === 'document') return `<p>${linkHtml(file)}</p>`;
  const shown = medium === 'image' ? pictureHtml(file) : playerHtml(file, origin);
  const caption = medium === 'audio' && file.title !== null ? `<figcaption>${escapeMarkup(file.title)}</figcaption>` : '';
  const figure = `<figure>${shown}${caption}</figure>`;
  return media.spoiler === true ? coverHtml(figure) : figure;
}

const linkHtml = ({ url, title }: PublishedFile): string => `<a${attributes({ href: url })}>${escapeMarkup(title ?? '…')}</a>`;

const pictureHtml = ({ url, media: { width, height, emoji } }: PublishedFile): string =>
  `<img${attributes({ src: url, width, height, alt: emoji ?? '' })}>`;

function playerHtml(file: PublishedFile, origin: string): string {
  const { url, medium, media } = file;
  const poster = medium === 'video' && media.poster ? origin + media.poster.src : null;
  const size = medium === 'video' ? { width: media.width, height: media.height } : {};
  return `<${medium}${attributes({ src: url, ...size, poster, preload: 'none', controls: '' })}>${linkHtml(file)}</${medium}>`;
}
