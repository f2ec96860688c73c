import type { Channel, Picture } from '../contract/channel.ts';
import type { Media, Post } from '../contract/post.ts';
import type { Context } from './context.ts';
import { hiddenKey } from './media/grant.ts';
import { isShownInline } from './media/types.ts';

/** What signs the addresses of files. */
type Granting = Pick<Context, 'grants' | 'now'>;

/** Makes stored posts ready to be answered: a private channel's files get addresses that hold a grant. */
export function presentPosts(posts: readonly Post[], channels: readonly Channel[], context: Granting): Post[] {
  const closed = new Set(channels.filter((channel) => channel.private).map((channel) => channel.id));
  return posts.map((post) => {
    const media = post.media.map((each) => presentMedia(each, closed.has(post.channelId), context));
    // Most files are answered as they are stored, and a copied post is four times the work.
    return media.every((each, at) => each === post.media[at]) ? post : { ...post, media };
  });
}

/** Makes a hidden post ready for its operator: its files get addresses that nobody else was given. */
export const presentHidden = (post: Post, context: Granting): Post => ({
  ...post,
  media: post.media.map((each) => grantMedia(nameDownload(each), context, hiddenKey)),
});

/** Makes stored channels ready to be answered. */
export function presentChannels(channels: readonly Channel[], context: Granting): Channel[] {
  return channels.map((channel) =>
    channel.private && channel.picture ? { ...channel, picture: grantPicture(channel.picture, context) } : channel,
  );
}

function presentMedia(media: Media, closed: boolean, context: Granting): Media {
  const named = nameDownload(media);
  return closed ? grantMedia(named, context) : named;
}

/** What the grant of a file is signed for. */
type Signed = (key: string) => string;

const grantMedia = (media: Media, context: Granting, signed?: Signed): Media => ({
  ...media,
  ...(media.src && { src: grant(media.src, context, signed) }),
  ...(media.motion && { motion: grant(media.motion, context, signed) }),
  ...(media.poster && { poster: grantPicture(media.poster, context, signed) }),
});

/** A file that is only ever downloaded carries its name in the address, for its key is a hash. */
function nameDownload(media: Media): Media {
  if (!media.src || !media.name || isShownInline(media.mime ?? '')) return media;
  return { ...media, src: withQuery(media.src, 'name', media.name) };
}

const grantPicture = (picture: Picture, context: Granting, signed?: Signed): Picture => ({
  ...picture,
  src: grant(picture.src, context, signed),
});

function grant(src: string, context: Granting, signed: Signed = (key) => key): string {
  const key = /^\/media\/([^/?]+)/.exec(src)?.[1];
  return key === undefined ? src : withQuery(src, 'grant', context.grants.sign(signed(key), context.now()));
}

const withQuery = (src: string, name: string, value: string): string =>
  `${src}${src.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`;
