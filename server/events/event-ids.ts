import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/**
 * Event ids: encrypts an event's number, so that it reveals nothing. Events of private channels share the numbering
 * with the others: plain numbers would have gaps, and an anonymous client could count the events of private channels.
 */
export interface EventIdCodec {
  /** Encrypts a number; each call returns a different id. */
  encode(number: number): string;
  /** Decrypts an id; null if this server did not create it. */
  decode(id: string): number | null;
}

/** Creates event ids with the server's own secret. It is stored, so that clients resume after a restart. */
export async function openEventIdCodec(store: Store): Promise<EventIdCodec> {
  return createEventIdCodec(await store.getOrCreateSetting('events-secret', randomBytes(16).toString('base64url')));
}

/** Layout of the AES block: six bytes of the number, six random bytes, and four zeros that identify our ids. */
const NUMBER_BYTES = 6;
const ZEROS_OFFSET = 12;
const BLOCK_BYTES = 16;

/** Creates event ids with an AES-128 key, in base64url. */
export function createEventIdCodec(secret: string): EventIdCodec {
  const key = Buffer.from(secret, 'base64url');
  return {
    encode(number) {
      const block = Buffer.alloc(BLOCK_BYTES);
      block.writeUIntBE(number, 0, NUMBER_BYTES);
      randomBytes(ZEROS_OFFSET - NUMBER_BYTES).copy(block, NUMBER_BYTES);
      return createCipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block).toString('base64url');
    },
    decode(id) {
      const encrypted = Buffer.from(id, 'base64url');
      if (encrypted.length !== BLOCK_BYTES) return null;
      const block = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(encrypted);
      return block.readUInt32BE(ZEROS_OFFSET) === 0 ? block.readUIntBE(0, NUMBER_BYTES) : null;
    },
  };
}
