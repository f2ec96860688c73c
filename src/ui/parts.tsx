import { type ReactNode, useSyncExternalStore } from 'react';
import type { Entity, Post } from '../../contract/post.ts';
import { useMsg } from '../i18n/i18n.ts';
import { createCell } from '../readable.ts';
import { isPlainPicture } from './media/sizes.ts';

/** What most posts do not have: one chunk, apart from the first load. */
type Parts = typeof import('./post-parts.ts');

const parts = createCell<Parts | 'absent' | 'coming' | 'failed'>('absent');

/** Loads the parts, once; after a failure, again. A server that renders posts awaits this before. */
export async function loadParts(): Promise<void> {
  if (parts.get() !== 'absent' && parts.get() !== 'failed') return;
  parts.set('coming');
  await import('./post-parts.ts').then(parts.set, () => parts.set('failed'));
}

/** Gives the parts, or why they are not there. */
export const useParts = () => useSyncExternalStore(parts.subscribe, parts.get, parts.get);

interface PartProps {
  /** Stands in where the parts could not be loaded; without it, words that say so. */
  readonly otherwise?: ReactNode;
  children(parts: Parts): ReactNode;
}

/** Draws something of the parts. Lists hold back the posts that need them, so that nothing moves when they come. */
export function Part({ otherwise, children }: PartProps) {
  const { msg } = useMsg();
  const found = useParts();
  return typeof found === 'string' ? (otherwise ?? <small>{msg('This part could not be shown.')}</small>) : children(found);
}

const IN_TEXT: ReadonlySet<Entity['type']> = new Set(['blockquote', 'expandable_blockquote', 'pre', 'spoiler', 'date_time']);

export const hasExtras = ({ poll, place, contact, other }: Post): boolean => (poll ?? place ?? contact ?? other) !== undefined;

/** Whether a post cannot be shown whole without the parts. */
export const needsParts = (post: Post): boolean =>
  post.service !== undefined ||
  hasExtras(post) ||
  !post.media.every(isPlainPicture) ||
  post.entities.some(({ type }) => IN_TEXT.has(type));
