import { CONTRACT } from './contract.ts';
import { FEED_PROPERTIES } from './feeds.ts';
import { PROOFS } from './proofs.ts';
import type { Property } from './property.ts';
import { SOURCES } from './sources.ts';

/** All fuzz properties for untrusted input. */
export const PROPERTIES: readonly Property[] = [...CONTRACT, ...SOURCES, ...FEED_PROPERTIES, ...PROOFS];
