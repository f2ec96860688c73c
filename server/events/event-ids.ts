import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/**
 * Event ids: encrypts an event's number, so that it reveals nothing. Events of private channels share the numbering with the
 * others: plain numbers would have gaps, and an anonymous client could count the events of private channels.
 */
export interface EventIds {
  /** Encrypts a number; each call returns a different id. */
  seal(number: number): string;
  /** Decrypts an id; null if this server did not create it. */
  open(id: string): number | null;
}

/** Creates event ids with the server's own secret. It is stored, so that clients resume after a restart. */
export async function openEventIds(store: Store): Promise<EventIds> {
  return createEventIds(await store.factOr('events-secret', randomBytes(16).toString('base64url')));
}

/** Layout of the AES block: six bytes of the number, six random bytes, and four zeros that identify our ids. */
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
