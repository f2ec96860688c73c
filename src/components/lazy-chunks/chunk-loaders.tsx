// Chunk loaders of a post's rarer components, and which posts need them.
import type { Entity, Media, Post } from '../../../contract/post.ts';
import { isLeftOut } from '../../../contract/shown-media.ts';
import { isPlainPicture, isVisual } from '../../lib/media-kinds.ts';
import { extras, hasExtras, hasOrigin, kinds, parts } from './lazy-chunks.tsx';

const IN_TEXT: ReadonlySet<Entity['type']> = new Set(['blockquote', 'expandable_blockquote', 'pre', 'spoiler', 'date_time']);

const RARE_FILES: ReadonlySet<Media['type']> = new Set(['sticker', 'video_note', 'audio', 'voice']);

const isRareFile = (item: Media): boolean => RARE_FILES.has(item.type) || item.motion !== undefined || isLeftOut(item);

const needsExtras = (post: Post): boolean => post.extra !== undefined;

const needsKinds = (post: Post): boolean =>
  (post.service ?? post.extra) !== undefined || hasExtras(post) || hasOrigin(post) || post.media.some(isRareFile);

const needsParts = (post: Post): boolean =>
  post.gap !== undefined ||
  needsKinds(post) ||
  !post.media.every(isPlainPicture) ||
  post.media.filter(isVisual).length > 1 ||
  post.entities.some(({ type }) => IN_TEXT.has(type));

/** Each chunk, with the condition for posts that cannot be rendered completely without it. */
const NEEDED = [
  [parts, needsParts, () => parts.load(() => import('../post/chunks/common.ts'))],
  [kinds, needsKinds, () => kinds.load(() => import('../post/chunks/rare.ts'))],
  [extras, needsExtras, () => extras.load(() => import('../post/chunks/extra.ts'))],
] as const;

/** Loads all chunks that a post may need. The server awaits this before it renders posts. */
export async function loadParts(): Promise<void> {
  await Promise.all(NEEDED.map(([, , load]) => load()));
}

/** Loads the chunks that these posts need to be rendered completely. */
export function loadFor(posts: readonly Post[]): void {
  for (const [, isNeeded, load] of NEEDED) if (posts.some(isNeeded)) void load();
}

/** Returns a predicate: true if a chunk that the post needs to be rendered completely is still being loaded. */
export function useLacking(): (post: Post) => boolean {
  parts.use();
  kinds.use();
  extras.use();
  return (post) => NEEDED.some(([chunk, isNeeded]) => chunk.isDue() && isNeeded(post));
}
