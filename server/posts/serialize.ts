import type { Channel } from '../../contract/channel.ts';
import type { Media, Post } from '../../contract/post.ts';
import { grant, grantPicture, type SerializeDeps, type Signed, withQuery } from '../channels/serialize.ts';
import { isShownInline } from '../media/files.ts';
import { hiddenKey } from '../media/signed-urls.ts';

/** Post serialization: prepares stored posts for a response. The URLs of a private channel's files get a grant. */
export function presentPosts(posts: readonly Post[], channels: readonly Channel[], deps: SerializeDeps): Post[] {
  const closed = new Set(channels.filter((channel) => channel.private).map((channel) => channel.id));
  return posts.map((post) => {
    const media = post.media.map((each) => presentMedia(each, closed.has(post.channelId), deps));
    // Most files are sent as they are stored, and copying a post is four times the work.
    return media.every((each, at) => each === post.media[at]) ? post : { ...post, media };
  });
}

/** Prepares a hidden post for its operator: the URLs of its files get a grant that readers never receive. */
export const presentHidden = (post: Post, deps: SerializeDeps): Post => ({
  ...post,
  media: post.media.map((each) => grantMedia(nameDownload(each), deps, hiddenKey)),
});

function presentMedia(media: Media, closed: boolean, deps: SerializeDeps): Media {
  const named = nameDownload(media);
  return closed ? grantMedia(named, deps) : named;
}

const grantMedia = (media: Media, deps: SerializeDeps, signed?: Signed): Media => ({
  ...media,
  ...(media.src && { src: grant(media.src, deps, signed) }),
  ...(media.motion && { motion: grant(media.motion, deps, signed) }),
  ...(media.poster && { poster: grantPicture(media.poster, deps, signed) }),
});

/** A file that is always downloaded has its name in the URL, because its key is a hash. */
function nameDownload(media: Media): Media {
  if (!media.src || !media.name || isShownInline(media.mime ?? '')) return media;
  return { ...media, src: withQuery(media.src, 'name', media.name) };
}
