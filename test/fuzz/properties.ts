import { CONTRACT_PROPERTIES } from './contract.ts';
import { FEED_PROPERTIES } from './feeds.ts';
import { PROOF_PROPERTIES } from './proofs.ts';
import type { Property } from './property.ts';
import { SOURCE_PROPERTIES } from './sources.ts';

/** All fuzz properties for untrusted input. */
export const PROPERTIES: readonly Property[] = [
  ...CONTRACT_PROPERTIES,
  ...SOURCE_PROPERTIES,
  ...FEED_PROPERTIES,
  ...PROOF_PROPERTIES,
];
