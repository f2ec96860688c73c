import { CONTRACT } from './contract.ts';
import { FEED_PROPERTIES } from './feeds.ts';
import { PROOFS } from './proofs.ts';
import type { Property } from './property.ts';
import { SOURCES } from './sources.ts';

/** Everything that is said of what strangers send. */
export const PROPERTIES: readonly Property[] = [...CONTRACT, ...SOURCES, ...FEED_PROPERTIES, ...PROOFS];
