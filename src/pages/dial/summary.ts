import type { Media, Post, Service } from '../../../contract/post.ts';
import type { Messages } from '../../i18n/i18n.ts';

/** A post in a line or two: its text, else what it holds. */
export function summary(m: Messages, post: Post): string {
  const media = post.media[0];
  const text = post.text.trim();
  if (text !== '') return text.slice(0, 280);
  if (post.poll !== undefined) return post.poll.question;
  if (media !== undefined) return media.title ?? media.name ?? mediaName(m, media);
  if (post.service !== undefined) return serviceName(m, post.service);
  return post.place?.title ?? post.contact?.name ?? m.msg('A post without words');
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

function serviceName({ msg }: Messages, { action, title }: Service): string {
  switch (action) {
    case 'created':
      return msg('The channel was made');
    case 'renamed':
      return title ?? msg('The channel has a new name');
    case 'pinned':
      return msg('A post was pinned');
    case 'picture':
      return msg('The channel has a new picture');
  }
}
