// Lazily loaded chunks of a post's components. This module renders their components; `chunk-loaders.tsx` loads them.
// Modules in the chunks import only this one, because importing the loaders would be circular.
import { type ReactNode, useSyncExternalStore } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createSignal } from '../../lib/signal.ts';

interface LazyChunkProps<Chunk> {
  /** Fallback if the chunk could not be loaded. Without it, a text reports this. */
  readonly fallback?: ReactNode;
  children(chunk: Chunk): ReactNode;
}

/** Components for the less common content of a post. */
export type CommonChunkModule = typeof import('../post/chunks/common.ts');

/** Creates a holder for a chunk of post components that is loaded when it is needed. */
function createLazyChunk<Chunk extends object>() {
  const state = createSignal<Chunk | 'absent' | 'loading' | 'failed'>('absent');
  const use = () => useSyncExternalStore(state.subscribe, state.get, state.get);
  return {
    use,
    /** Loads the chunk once. After a failure, a further call retries. */
    async load(fetchChunk: () => Promise<Chunk>): Promise<void> {
      if (state.get() !== 'absent' && state.get() !== 'failed') return;
      state.set('loading');
      await fetchChunk().then(state.set, () => state.set('failed'));
    },
    /** Returns true if the chunk has neither loaded nor failed yet. */
    isDue: () => state.get() === 'absent' || state.get() === 'loading',
    Content({ fallback, children }: LazyChunkProps<Chunk>) {
      const { msg } = useMsg();
      const loaded = use();
      return typeof loaded === 'string' ? (fallback ?? <small>{msg('This part could not be shown.')}</small>) : children(loaded);
    },
  };
}

export const commonChunk = createLazyChunk<CommonChunkModule>();
export const rareChunk = createLazyChunk<typeof import('../post/chunks/rare.ts')>();
export const extraChunk = createLazyChunk<typeof import('../post/chunks/extra.ts')>();

/**
 * Renders content that most posts do not have. Lists render posts that need this chunk only after it has loaded, so
 * that nothing moves when it loads.
 */
export const CommonChunk = commonChunk.Content;
/** Renders content that few posts have. It is used inside `CommonChunk`, or next to it. */
export const RareChunk = rareChunk.Content;
/** Renders a post's `extra`: a rich message, a giveaway and similar. It needs both other chunks. */
export const ExtraChunk = extraChunk.Content;

/** Returns true if a post has rare content in addition to text and files. */
export const hasDetails = ({ poll, place, contact, other, gone }: Post): boolean =>
  (poll ?? place ?? contact ?? other ?? gone) !== undefined;

/** Returns true if a post is forwarded or is a reply. */
export const hasOrigin = ({ forward, reply }: Post): boolean => (forward ?? reply) !== undefined;
