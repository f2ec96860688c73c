import type { Media, Post } from '../../../contract/post.ts';
import type { Messages } from '../../i18n/i18n.ts';

/** A post in a line or two: its text, else what it holds. */
export function summary(m: Messages, post: Post): string {
  const media = post.media[0];
  const text = post.text.trim();
  if (text !== '') return text.slice(0, 280);
  if (post.poll !== undefined) return post.poll.question;
  if (media !== undefined) return media.title ?? media.name ?? mediaName(m, media);
  return post.place?.title ?? post.contact?.name ?? m.msg('Something this page cannot show');
}

function mediaName({ msg }: Messages, media: Media): string {
  switch (media.type) {
    case 'photo':
      return msg('Photo');
    case 'video':
    case 'video_note':
    case 'animation':
      return msg('Video');
    case 'audio':
    case 'voice':
      return msg('Audio');
    case 'sticker':
      return media.emoji ?? msg('Sticker');
    case 'document':
      return msg('File');
  }
}
