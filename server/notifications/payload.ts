/** Payloads: the texts and pictures of notifications about posts, within the size limit of Web Push. */
import type { Channel } from '../../contract/channel.ts';
import { type DigestItem, MAX_PAYLOAD_BYTES, type PushPayload } from '../../contract/notifications.ts';
import type { Post } from '../../contract/post.ts';
import { postPath } from '../../src/lib/links.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import { sanitizeLine, truncateLine } from '../lib/markup.ts';
import { serializePosts } from '../posts/serialize.ts';
import { postDescription, postPicture, postTitle } from '../publishing/post-summary.ts';
import { formatNewPosts, guessDirection, guessLanguage, textsFor } from './texts.ts';

/** A post that the recipient may read, and its channel. */
export interface ReadablePost {
  readonly post: Post;
  readonly channel: Channel;
}

/** New posts of a channel: the newest one, and their number. */
export interface ChannelNews extends ReadablePost {
  readonly count: number;
}

const MAX_TITLE_LENGTH = 80;
const MAX_BODY_LENGTH = 200;
const MAX_DIGEST_ITEMS = 8;
const MAX_DIGEST_BODY_LENGTH = 80;
/** Path of the page that a digest opens. */
const DIGEST_PATH = '/main';

/** Returns the text of a post without spoilers; for a post without text, a name in it or its kind. */
const bodyOf = ({ post, channel }: ReadablePost, locale: string): string => {
  const description = postDescription(post);
  if (description !== '') return truncateLine(description, MAX_BODY_LENGTH);
  const title = postTitle(post, channel);
  if (!title.startsWith(sanitizeLine(channel.title))) return title;
  const texts = textsFor(locale);
  switch (post.media[0]?.type) {
    case 'photo':
      return texts.photo;
    case 'video':
    case 'animation':
    case 'video_note':
      return texts.video;
    case 'audio':
    case 'voice':
      return texts.audio;
    case 'document':
      return texts.file;
    default:
      return texts.post;
  }
};

const titleOf = (channel: Channel): string => truncateLine(sanitizeLine(channel.title), MAX_TITLE_LENGTH);

/** Returns the first candidate that fits into a payload, or the last one. */
const firstThatFits = <Payload extends PushPayload>(candidates: readonly [Payload, ...Payload[]]): Payload => {
  const isSmall = (payload: Payload): boolean => Buffer.byteLength(JSON.stringify(payload)) <= MAX_PAYLOAD_BYTES;
  return candidates.find(isSmall) ?? candidates.at(-1) ?? candidates[0];
};

/** Creates the payload for new posts of one channel. URLs of a private channel's files get a grant. */
export function createPostPayload(news: ChannelNews, locale: string, deps: SerializeDeps): PushPayload {
  const [channel = news.channel] = serializeChannels([news.channel], deps);
  const [post = news.post] = serializePosts([news.post], [channel], deps);
  const body = bodyOf(news, locale);
  const picture = postPicture(post);
  const payload = {
    type: 'post' as const,
    channelId: channel.id,
    postId: post.id,
    title: titleOf(channel),
    body,
    language: guessLanguage(body, locale),
    direction: guessDirection(body),
    url: postPath(channel, post.id),
    count: news.count,
    sentAt: Math.floor(deps.now() / 1000),
  };
  const icon = channel.picture && { icon: channel.picture.src };
  const isShort = { body: truncateLine(body, MAX_DIGEST_BODY_LENGTH), title: payload.title.slice(0, MAX_TITLE_LENGTH) };
  return firstThatFits([
    { ...payload, ...icon, ...(picture && { image: picture.src }) },
    { ...payload, ...icon },
    { ...payload, ...isShort },
  ]);
}

/** Creates the payload of a digest: the newest post of each channel, and the number of all new posts. */
export function createDigestPayload(news: readonly ChannelNews[], locale: string, now: number): PushPayload {
  const count = news.reduce((sum, one) => sum + one.count, 0);
  const items = news.slice(0, MAX_DIGEST_ITEMS).map(
    (one): DigestItem => ({
      channelId: one.channel.id,
      postId: one.post.id,
      title: titleOf(one.channel),
      body: truncateLine(bodyOf(one, locale), MAX_DIGEST_BODY_LENGTH),
    }),
  );
  const names = news.map((one) => (one.count > 1 ? `${titleOf(one.channel)} (${one.count})` : titleOf(one.channel)));
  const title = formatNewPosts(locale, count);
  const payload = (itemCount: number) => ({
    type: 'digest' as const,
    title,
    body: truncateLine(names.join(', '), MAX_BODY_LENGTH),
    language: guessLanguage(title, locale),
    direction: guessDirection(title),
    items: items.slice(0, itemCount),
    url: DIGEST_PATH,
    count,
    sentAt: Math.floor(now / 1000),
  });
  return firstThatFits([payload(items.length), payload(3), payload(0)]);
}

/** Creates the payload with which a reader tries notifications out. */
export function createTestPayload(locale: string, now: number): PushPayload {
  const { testTitle: title, testBody: body } = textsFor(locale);
  return {
    type: 'test',
    title,
    body,
    language: guessLanguage(title, locale),
    direction: guessDirection(title),
    url: DIGEST_PATH,
    sentAt: Math.floor(now / 1000),
  };
}
