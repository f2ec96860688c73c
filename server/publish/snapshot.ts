import type { Channel } from '../../contract/channel.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Post } from '../../contract/post.ts';
import { attributes, clean, cut, escapeMarkup, oneLine } from '../lib/markup.ts';
import { titleOf } from '../publishing/post-summary.ts';
import { channelAddress, postAddress } from '../publishing/site.ts';

/** Characters of a post that a snapshot shows; the tag in its place shows the rest. */
const MOST = 600;

/** What is to be embedded: a post, or a channel with its newest posts. */
export type Embedded =
  | { readonly type: 'post'; readonly channel: Channel; readonly post: Post }
  | { readonly type: 'channel'; readonly channel: Channel; readonly posts: readonly Post[] };

/** Posts that an embedded channel shows. */
export const EMBEDDED_POSTS = 5;

/** The tags that show what is embedded, by its kind. */
export const TAGS = { post: 'changer-post', channel: 'changer-channel' } as const;

/**
 * Writes what to put into another page: the tag, in it what it will show as plain quotes, for readers of feeds, for editors, and
 * where scripts are off; then the tag's script, once it is there to be had.
 */
export function snapshotHtml(embedded: Embedded, origin: string, hasScript: boolean): string {
  const { type, channel } = embedded;
  const tag = TAGS[type];
  const script = `<script type="module"${attributes({ src: `${origin}/elements/${tag}.js` })}></script>`;
  const about = type === 'post' ? { 'post-id': embedded.post.id } : { limit: EMBEDDED_POSTS };
  // By its id, which outlasts a rename.
  const start = `<${tag}${attributes({ 'channel-id': channel.id, ...about })}>`;
  const posts = type === 'post' ? [embedded.post] : embedded.posts;
  const quotes = posts.map((post) => quoteHtml(post, channel, origin)).join('');
  return `${start}${quotes || channelLink(channel, origin)}</${tag}>${hasScript ? script : ''}`;
}

function quoteHtml(post: Post, channel: Channel, origin: string): string {
  const href = postAddress(origin, channel, post.id);
  const text = cut(clean(plainText(post)).trim(), MOST) || titleOf(post, channel);
  const date = new Date(post.date * 1000).toISOString();
  const when = `<a${attributes({ href })}><time${attributes({ datetime: date })}>${date.slice(0, 10)}</time></a>`;
  const lines = text.split('\n').map((line) => escapeMarkup(line.trim()));
  const said = lines.filter((line) => line !== '').join('<br>');
  return `<blockquote${attributes({ cite: href })}><p dir="auto">${said}</p><p>— ${channelLink(channel, origin)}, ${when}</p></blockquote>`;
}

const channelLink = (channel: Channel, origin: string): string =>
  `<a${attributes({ href: channelAddress(origin, channel) })}>${escapeMarkup(oneLine(channel.title))}</a>`;
