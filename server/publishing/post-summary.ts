import type { Channel } from '../../contract/channel.ts';
import type { Extra } from '../../contract/extra.ts';
import { plainText } from '../../contract/plain-text.ts';
import type { Post } from '../../contract/post.ts';
import { cut, oneLine } from '../lib/markup.ts';
import { extraOf } from './html/post.ts';

const TITLE = 100;
const DESCRIPTION = 200;

/** What a post is called where it has no title, as none has: its first line, else what it holds, else its channel and day. */
export function titleOf(post: Post, channel: Channel): string {
  const day = new Date(post.date * 1000).toISOString().slice(0, 10);
  const said = [...plainText(post).split('\n'), ...namesIn(post)].map(oneLine).find((line) => line !== '');
  return cut(said ?? `${oneLine(channel.title)}, ${day}`, TITLE);
}

/** What a post says, in one paragraph; '' where it says nothing. */
export const descriptionOf = (post: Post): string => cut(oneLine(plainText(post)), DESCRIPTION);

/** What a channel says of itself, in one paragraph; '' where it says nothing. */
export const aboutOf = ({ about }: Channel): string => cut(oneLine(about ?? ''), DESCRIPTION);

const namesIn = (post: Post): string[] =>
  [
    post.poll?.question,
    ...namesInExtra(extraOf(post)),
    post.place?.title,
    post.contact?.name,
    ...post.media.filter(({ spoiler }) => spoiler !== true).flatMap(({ title, name, emoji }) => [title, name, emoji]),
  ].filter((name) => name !== undefined);

function namesInExtra(extra: Extra | null): (string | undefined)[] {
  switch (extra?.type) {
    case 'checklist':
      return [plainText(extra.title)];
    case 'dice':
      return [`${extra.emoji} ${extra.value}`];
    case 'giveaway':
    case 'giveaway-over':
      return [extra.prize];
    case 'story':
      return [extra.name];
    case 'invoice':
    case 'game':
      return [extra.title];
    default:
      return [];
  }
}
