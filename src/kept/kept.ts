import type { Shelf } from './shelf.ts';

export interface Kept {
  readonly kind: 'idb' | 'memory';
  /** What anyone may see: channels and their posts. */
  readonly public: Shelf;
  /** The reader's own, and what only this reader may see; for an anonymous reader the device's. */
  readonly reader: Shelf;
  /** What this device's anonymous reader left, to be merged at sign-in. */
  anonymous(): Promise<Shelf>;
  close(): void;
}
