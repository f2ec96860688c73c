// Lazily loaded chunks of a post's components: rendered from here, loaded by chunk-loaders.tsx, which their own modules cannot import.
import { type ReactNode, useSyncExternalStore } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createCell } from '../../lib/signal.ts';

interface PartProps<Chunk> {
  /** Stands in where the chunk could not be loaded; without it, words that say so. */
  readonly otherwise?: ReactNode;
  children(chunk: Chunk): ReactNode;
}

/** What draws a post's rarer things. */
export type Parts = typeof import('../post/chunks/common.ts');

/** Something of a post that comes in a chunk of its own, once it is needed. */
function lazily<Chunk extends object>() {
  const cell = createCell<Chunk | 'absent' | 'coming' | 'failed'>('absent');
  const use = () => useSyncExternalStore(cell.subscribe, cell.get, cell.get);
  return {
    use,
    /** Loads the chunk, once; after a failure, again. */
    async load(fetch: () => Promise<Chunk>): Promise<void> {
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

export const parts = lazily<Parts>();
export const kinds = lazily<typeof import('../post/chunks/rare.ts')>();
export const extras = lazily<typeof import('../post/chunks/extra.ts')>();

/** Draws something that most posts do not have. Lists hold back the posts that need it, so that nothing moves when it comes. */
export const Part = parts.Drawn;
/** Draws something that few posts have; it stands inside what the parts draw, or beside it. */
export const Kind = kinds.Drawn;
/** Draws a post's `extra`: a rich message, a giveaway and the like; it needs both others. */
export const ExtraPart = extras.Drawn;

/** Whether a post carries what few do, beside text and files. */
export const hasExtras = ({ poll, place, contact, other, gone }: Post): boolean =>
  (poll ?? place ?? contact ?? other ?? gone) !== undefined;

/** Whether a post comes from elsewhere, or answers another. */
export const hasOrigin = ({ forward, reply }: Post): boolean => (forward ?? reply) !== undefined;
