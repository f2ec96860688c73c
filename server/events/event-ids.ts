import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/**
 * Writes an event's number so that it tells nothing. Events of private channels are numbered among the others: plain numbers
 * would have gaps, and a stranger could count what happens behind closed doors.
 */
export interface EventIds {
  /** Each time another name for the same number. */
  seal(number: number): string;
  /** The number, or null for what we did not seal. */
  open(id: string): number | null;
}

/** Makes ids from the server's own secret, kept in the store so that readers resume after a restart. */
export async function openEventIds(store: Store): Promise<EventIds> {
  return createEventIds(await store.factOr('events-secret', randomBytes(16).toString('base64url')));
}

/** One block of AES: six bytes of the number, six at random, four zeros by which ours are known. */
const NUMBER = 6;
const ZEROS = 12;
const BLOCK = 16;

export function createEventIds(secret: string): EventIds {
  const key = Buffer.from(secret, 'base64url');
  return {
    seal(number) {
      const block = Buffer.alloc(BLOCK);
      block.writeUIntBE(number, 0, NUMBER);
      randomBytes(ZEROS - NUMBER).copy(block, NUMBER);
      return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block).toString('base64url');
    },
    open(id) {
      const sealed = Buffer.from(id, 'base64url');
      if (sealed.length !== BLOCK) return null;
      const block = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(sealed);
      return block.readUInt32BE(ZEROS) === 0 ? block.readUIntBE(0, NUMBER) : null;
    },
  };
}
