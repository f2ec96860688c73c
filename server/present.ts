import type { Channel, Picture } from '../contract/channel.ts';
import type { Media, Post } from '../contract/post.ts';
import type { Context } from './context.ts';
import { isShownInline } from './media/types.ts';

/** Makes stored posts ready to be answered: a private channel's files get addresses that hold a grant. */
export function presentPosts(posts: readonly Post[], channels: readonly Channel[], context: Context): Post[] {
  const closed = new Set(channels.filter((channel) => channel.private).map((channel) => channel.id));
  return posts.map((post) => {
    const media = post.media.map((each) => presentMedia(each, closed.has(post.channelId), context));
    // Most files are answered as they are stored, and a copied post is four times the work.
    return media.every((each, at) => each === post.media[at]) ? post : { ...post, media };
  });
}

/** Makes stored channels ready to be answered. */
export function presentChannels(channels: readonly Channel[], context: Context): Channel[] {
  return channels.map((channel) =>
    channel.private && channel.picture ? { ...channel, picture: grantPicture(channel.picture, context) } : channel,
  );
}

function presentMedia(media: Media, closed: boolean, context: Context): Media {
  const named = nameDownload(media);
  if (!closed) return named;
  return {
    ...named,
    ...(named.src && { src: grant(named.src, context) }),
    ...(named.poster && { poster: grantPicture(named.poster, context) }),
  };
}

/** A file that is only ever downloaded carries its name in the address, for its key is a hash. */
function nameDownload(media: Media): Media {
  if (!media.src || !media.name || isShownInline(media.mime ?? '')) return media;
  return { ...media, src: withQuery(media.src, 'name', media.name) };
}

const grantPicture = (picture: Picture, context: Context): Picture => ({ ...picture, src: grant(picture.src, context) });

function grant(src: string, context: Context): string {
  const key = /^\/media\/([^/?]+)/.exec(src)?.[1];
  return key === undefined ? src : withQuery(src, 'grant', context.grants.sign(key, context.now()));
}

const withQuery = (src: string, name: string, value: string): string =>
  `${src}${src.includes('?') ? '&' : '?'}${new URLSearchParams({ [name]: value })}`;
