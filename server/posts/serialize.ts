import type { Channel } from '../../contract/channel.ts';
import type { Media, Post } from '../../contract/post.ts';
import { type SerializeDeps, type SignatureSubject, signFileUrl, signPicture, withQuery } from '../channels/serialize.ts';
import { isShownInline } from '../media/files.ts';
import { hiddenFileKey } from '../media/signed-urls.ts';

/** Post serialization: prepares stored posts for a response. The URLs of a private channel's files get a grant. */
export function serializePosts(posts: readonly Post[], channels: readonly Channel[], deps: SerializeDeps): Post[] {
  const closed = new Set(channels.filter((channel) => channel.private).map((channel) => channel.id));
  return posts.map((post) => {
    const media = post.media.map((each) => serializeMedia(each, closed.has(post.channelId), deps));
    // Most files are sent as they are stored, and copying a post is four times the work.
    return media.every((each, at) => each === post.media[at]) ? post : { ...post, media };
  });
}

/** Prepares a hidden post for its operator: the URLs of its files get a grant that readers never receive. */
export const serializeHiddenPost = (post: Post, deps: SerializeDeps): Post => ({
  ...post,
  media: post.media.map((each) => signMedia(addDownloadName(each), deps, hiddenFileKey)),
});

function serializeMedia(media: Media, closed: boolean, deps: SerializeDeps): Media {
  const named = addDownloadName(media);
  return closed ? signMedia(named, deps) : named;
}

const signMedia = (media: Media, deps: SerializeDeps, signed?: SignatureSubject): Media => ({
  ...media,
  ...(media.src && { src: signFileUrl(media.src, deps, signed) }),
  ...(media.motion && { motion: signFileUrl(media.motion, deps, signed) }),
  ...(media.poster && { poster: signPicture(media.poster, deps, signed) }),
});

/** A file that is always downloaded has its name in the URL, because its key is a hash. */
function addDownloadName(media: Media): Media {
  if (!media.src || !media.name || isShownInline(media.mime ?? '')) return media;
  return { ...media, src: withQuery(media.src, 'name', media.name) };
}
