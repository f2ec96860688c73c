import { plainText } from '../../../contract/plain-text.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { Messages } from '../../i18n/i18n.ts';

/** The text of a summary is clipped to this length, which is more than two lines show. */
const MAX_SUMMARY_LENGTH = 280;

/** Post summary in one or two lines: its text, or a description of its content if there is no text. */
export function postSummary(m: Messages, post: Post): string {
  const media = post.media[0];
  const text = plainText(post).trim();
  if (text !== '') return text.slice(0, MAX_SUMMARY_LENGTH);
  if (post.poll !== undefined) return post.poll.question;
  if (media !== undefined) {
    const title = media.spoiler === true ? undefined : (media.title ?? media.name);
    return title ?? mediaName(m, media);
  }
  return post.place?.title ?? post.contact?.name ?? extraName(m, post.extra) ?? m.msg('Something this page cannot show');
}

/** Returns the name of an extra content type (poll, dice, ...); the details are rendered only in the complete post. */
function extraName({ msg }: Messages, extra: unknown): string | undefined {
  const names: Readonly<Record<string, string>> = {
    checklist: msg('A checklist'),
    dice: msg('A dice roll'),
    giveaway: msg('A giveaway'),
    'giveaway-over': msg('The giveaway is over'),
    story: msg('A story'),
    paid: msg('Paid media'),
    invoice: msg('An invoice'),
    game: msg('Game'),
  };
  // `Object` also accepts undefined and null, and has no `type` then.
  const type: unknown = Object(extra).type;
  return typeof type === 'string' && Object.hasOwn(names, type) ? names[type] : undefined;
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
