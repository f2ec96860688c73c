import type { Channel } from '../../contract/channel.ts';
import type { Media, Post } from '../../contract/post.ts';
import { type SerializeDeps, type SignatureSubject, signFileUrl, signPicture, withQuery } from '../channels/serialize.ts';
import { isShownInline } from '../media/files.ts';
import { hiddenFileKey } from '../media/signed-urls.ts';

/** Post serialization: prepares stored posts for a response. The URLs of a private channel's files get a grant. */
export function serializePosts(posts: readonly Post[], channels: readonly Channel[], deps: SerializeDeps): Post[] {
  const privateIds = new Set(channels.filter((channel) => channel.private).map((channel) => channel.id));
  return posts.map((post) => {
    const media = post.media.map((item) => serializeMedia(item, privateIds.has(post.channelId), deps));
    // Most files are sent as they are stored, and copying a post is four times the work.
    return media.every((item, index) => item === post.media[index]) ? post : { ...post, media };
  });
}

/** Prepares a hidden post for its operator: the URLs of its files get a grant that readers never receive. */
export const serializeHiddenPost = (post: Post, deps: SerializeDeps): Post => ({
  ...post,
  media: post.media.map((item) => signMedia(addDownloadName(item), deps, hiddenFileKey)),
});

function serializeMedia(media: Media, isPrivate: boolean, deps: SerializeDeps): Media {
  const named = addDownloadName(media);
  return isPrivate ? signMedia(named, deps) : named;
}

const signMedia = (media: Media, deps: SerializeDeps, signatureSubject?: SignatureSubject): Media => ({
  ...media,
  ...(media.src && { src: signFileUrl(media.src, deps, signatureSubject) }),
  ...(media.motion && { motion: signFileUrl(media.motion, deps, signatureSubject) }),
  ...(media.poster && { poster: signPicture(media.poster, deps, signatureSubject) }),
});

/** A file that is always downloaded has its name in the URL, because its key is a hash. */
function addDownloadName(media: Media): Media {
  if (!media.src || !media.name || isShownInline(media.mime ?? '')) return media;
  return { ...media, src: withQuery(media.src, 'name', media.name) };
}
