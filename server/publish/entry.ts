import type { Channel } from '../../contract/channel.ts';
import type { Entity, Post } from '../../contract/post.ts';
import { feedName } from '../../contract/published.ts';
import { clean, oneLine } from '../lib/markup.ts';
import { postHtml } from '../publishing/html/post.ts';
import { titleOf } from '../publishing/post-summary.ts';
import { channelAddress, lastingId, postAddress } from '../publishing/site.ts';
import { type PublishedFile, pictureOf, publishedFiles } from './files.ts';

/** A post as every format of a feed tells it; addresses are absolute. */
export interface Entry {
  readonly id: string;
  readonly url: string;
  readonly title: string;
  readonly html: string;
  readonly published: Date;
  readonly updated: Date;
  /** Its channel. */
  readonly author: { readonly name: string; readonly url: string };
  /** Who signed it. */
  readonly signed: string | null;
  /** Where it came from. */
  readonly origin: string | null;
  readonly tags: readonly string[];
  /** The post's files without its spoilers, which readers of feeds would show open. */
  readonly files: readonly PublishedFile[];
  /** The picture that stands for it. */
  readonly image: string | null;
  /** The feed of its channel, without an ending. */
  readonly source: { readonly id: string; readonly title: string; readonly feed: string };
}

/** The id of a post in every feed and for good: it never changes, whatever the channel and the site come to be called. */
export const entryId = ({ channelId, id }: Pick<Post, 'channelId' | 'id'>): string => lastingId('post', channelId, id);

/** The id of a channel's feed. */
export const channelFeedId = ({ id }: Pick<Channel, 'id'>): string => lastingId('channel', id);

/** Makes a feed's entry of a post. */
export function entryOf(post: Post, channel: Channel, origin: string): Entry {
  const image = pictureOf(post);
  const title = oneLine(channel.title);
  return {
    id: entryId(post),
    url: postAddress(origin, channel, post.id),
    title: titleOf(post, channel),
    html: clean(postHtml(post, channel, origin)),
    published: new Date(post.date * 1000),
    updated: new Date(Math.max(post.date, post.edited ?? 0) * 1000),
    author: { name: title, url: channelAddress(origin, channel) },
    signed: post.author === undefined ? null : oneLine(post.author) || null,
    origin: post.link ?? null,
    tags: tagsOf(post),
    files: publishedFiles(post, origin).filter(({ media }) => media.spoiler !== true),
    image: image && origin + image.src,
    source: { id: channelFeedId(channel), title, feed: `${origin}/feeds/${encodeURIComponent(feedName(channel))}` },
  };
}

const tagsOf = ({ text, entities }: Post): string[] => {
  const spoilers = entities.filter(({ type }) => type === 'spoiler');
  const tags = entities
    .filter((entity) => entity.type === 'hashtag' && !spoilers.some((spoiler) => overlap(entity, spoiler)))
    .map(({ offset, length }) =>
      oneLine(
        text
          .slice(offset, offset + length)
          .replace(/^#/, '')
          .split('@', 1)[0] ?? '',
      ),
    );
  return [...new Set(tags.filter(Boolean))];
};

const overlap = (one: Entity, other: Entity): boolean =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length;
