import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Visits of the page load benchmark: with an empty cache, under the service worker, and without a network. */
export type Visit = 'cold' | 'warm' | 'offline';

/** Bounds of server-rendered pages, and goals of the page load benchmark (bench/bounds.json). They are only ever lowered. */
interface Bounds {
  /** Bounds of bytes and counts by page and measured value. A test fails if a page exceeds one. */
  readonly pages: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Time of the first post as a ratio to the floor. No test fails because of a time. */
  readonly 'first post, × floor': Readonly<Record<Visit, number>>;
  readonly 'blocking, ms': Readonly<Record<Visit, number>>;
}

export const BOUNDS: Bounds = JSON.parse(readFileSync(join(import.meta.dirname, 'bounds.json'), 'utf8'));
