// Chunk loaders: load the chunks of a post's less common components, and determine which posts need them.
import type { Entity, Media, Post } from '../../../contract/post.ts';
import { isMediaLeftOut } from '../../../contract/shown-media.ts';
import { isPlainPicture, isVisual } from '../../lib/media-kinds.ts';
import { commonChunk, extraChunk, hasDetails, hasOrigin, rareChunk } from './lazy-chunks.tsx';

const LAZY_ENTITY_TYPES: ReadonlySet<Entity['type']> = new Set([
  'blockquote',
  'expandable_blockquote',
  'pre',
  'spoiler',
  'date_time',
]);

const RARE_MEDIA_TYPES: ReadonlySet<Media['type']> = new Set(['sticker', 'video_note', 'audio', 'voice']);

const isRareMedia = (item: Media): boolean =>
  RARE_MEDIA_TYPES.has(item.type) || item.motion !== undefined || isMediaLeftOut(item);

const needsExtraChunk = (post: Post): boolean => post.extra !== undefined;

const needsRareChunk = (post: Post): boolean =>
  (post.service ?? post.extra) !== undefined || hasDetails(post) || hasOrigin(post) || post.media.some(isRareMedia);

const needsCommonChunk = (post: Post): boolean =>
  post.gap !== undefined ||
  needsRareChunk(post) ||
  !post.media.every(isPlainPicture) ||
  post.media.filter(isVisual).length > 1 ||
  post.entities.some(({ type }) => LAZY_ENTITY_TYPES.has(type));

/** Each chunk, with the condition for posts that cannot be rendered completely without it. */
const CHUNK_LOADERS = [
  [commonChunk, needsCommonChunk, () => commonChunk.load(() => import('../post/chunks/common.ts'))],
  [rareChunk, needsRareChunk, () => rareChunk.load(() => import('../post/chunks/rare.ts'))],
  [extraChunk, needsExtraChunk, () => extraChunk.load(() => import('../post/chunks/extra.ts'))],
] as const;

/** Loads all chunks that a post may need. The server awaits this before it renders posts. */
export async function loadAllChunks(): Promise<void> {
  await Promise.all(CHUNK_LOADERS.map(([, , load]) => load()));
}

/** Loads the chunks that these posts need to be rendered completely. */
export function loadChunksFor(posts: readonly Post[]): void {
  for (const [, isNeeded, load] of CHUNK_LOADERS) if (posts.some(isNeeded)) void load();
}

/** Returns a predicate: true if a chunk that the post needs to be rendered completely is still being loaded. */
export function useMissingChunks(): (post: Post) => boolean {
  commonChunk.use();
  rareChunk.use();
  extraChunk.use();
  return (post) => CHUNK_LOADERS.some(([chunk, isNeeded]) => chunk.isDue() && isNeeded(post));
}
