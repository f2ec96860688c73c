import { type ReactNode, useSyncExternalStore } from 'react';
import type { Entity, Media, Post } from '../../contract/post.ts';
import { isLeftOut } from '../../contract/shown-media.ts';
import { useMsg } from '../i18n/i18n.ts';
import { createCell } from '../readable.ts';
import { isPlainPicture, isVisual } from './media/sizes.ts';

interface PartProps<Chunk> {
  /** Stands in where the chunk could not be loaded; without it, words that say so. */
  readonly otherwise?: ReactNode;
  children(chunk: Chunk): ReactNode;
}

/** What draws a post's rarer things. */
export type Parts = typeof import('./post-parts.ts');

/** Something of a post that comes in a chunk of its own, once it is needed. */
function lazily<Chunk extends object>(fetch: () => Promise<Chunk>) {
  const cell = createCell<Chunk | 'absent' | 'coming' | 'failed'>('absent');
  const use = () => useSyncExternalStore(cell.subscribe, cell.get, cell.get);
  return {
    use,
    /** Loads the chunk, once; after a failure, again. */
    async load(): Promise<void> {
      if (cell.get() !== 'absent' && cell.get() !== 'failed') return;
      cell.set('coming');
      await fetch().then(cell.set, () => cell.set('failed'));
    },
    /** Whether it may yet come. */
    isDue: () => cell.get() === 'absent' || cell.get() === 'coming',
    Drawn({ otherwise, children }: PartProps<Chunk>) {
      const { msg } = useMsg();
      const found = use();
      return typeof found === 'string' ? (otherwise ?? <small>{msg('This part could not be shown.')}</small>) : children(found);
    },
  };
}

const parts = lazily(() => import('./post-parts.ts'));
const kinds = lazily(() => import('./post-kinds.ts'));
const extras = lazily(() => import('./post-extras.ts'));

/** Draws something that most posts do not have. Lists hold back the posts that need it, so that nothing moves when it comes. */
export const Part = parts.Drawn;
/** Draws something that few posts have; it stands inside what the parts draw, or beside it. */
export const Kind = kinds.Drawn;
/** Draws a post's `extra`: a rich message, a giveaway and the like; it needs both others. */
export const ExtraPart = extras.Drawn;

const IN_TEXT: ReadonlySet<Entity['type']> = new Set(['blockquote', 'expandable_blockquote', 'pre', 'spoiler', 'date_time']);

const RARE_FILES: ReadonlySet<Media['type']> = new Set(['sticker', 'video_note', 'audio', 'voice']);

const isRareFile = (item: Media): boolean => RARE_FILES.has(item.type) || item.motion !== undefined || isLeftOut(item);

/** Whether a post carries what few do, beside text and files. */
export const hasExtras = ({ poll, place, contact, other, gone }: Post): boolean =>
  (poll ?? place ?? contact ?? other ?? gone) !== undefined;

/** Whether a post comes from elsewhere, or answers another. */
export const hasOrigin = ({ forward, reply }: Post): boolean => (forward ?? reply) !== undefined;

const needsExtras = (post: Post): boolean => post.extra !== undefined;

const needsKinds = (post: Post): boolean =>
  (post.service ?? post.extra) !== undefined || hasExtras(post) || hasOrigin(post) || post.media.some(isRareFile);

const needsParts = (post: Post): boolean =>
  post.gap !== undefined ||
  needsKinds(post) ||
  !post.media.every(isPlainPicture) ||
  post.media.filter(isVisual).length > 1 ||
  post.entities.some(({ type }) => IN_TEXT.has(type));

/** Each chunk, and which posts cannot be shown whole without it. */
const NEEDED = [
  [parts, needsParts],
  [kinds, needsKinds],
  [extras, needsExtras],
] as const;

/** Loads all that any post may need. A server that renders posts awaits this before. */
export async function loadParts(): Promise<void> {
  await Promise.all(NEEDED.map(([chunk]) => chunk.load()));
}

/** Loads what these posts cannot be shown whole without. */
export function loadFor(posts: readonly Post[]): void {
  for (const [chunk, isNeeded] of NEEDED) if (posts.some(isNeeded)) void chunk.load();
}

/** Gives whether something that a post cannot be shown whole without is on its way. */
export function useLacking(): (post: Post) => boolean {
  parts.use();
  kinds.use();
  extras.use();
  return (post) => NEEDED.some(([chunk, isNeeded]) => chunk.isDue() && isNeeded(post));
}
