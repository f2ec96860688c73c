import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/** Signed URLs: creates and checks expiring grants for files of private channels, because an <img> cannot send a header. */
export interface UrlSigner {
  /** Creates a grant for one file, as `<expiry>.<signature>`. */
  sign(key: string, now: number): string;
  verify(key: string, grant: string, now: number): boolean;
}

const HOUR_MS = 3_600_000;
/**
 * Lifetime of a grant, ms. A page that is open for an hour still shows its pictures. A reader who leaves a channel can use its
 * files' URLs for not much longer.
 */
const MIN_LIFETIME_MS = HOUR_MS;

/** Creates grants with the server's own secret. It is stored, so that URLs remain valid after a restart. */
export async function openUrlSigner(store: Store): Promise<UrlSigner> {
  return createUrlSigner(await store.getOrCreateSetting('media-secret', randomBytes(32).toString('base64url')));
}

/** `now` is milliseconds. An expiry is a full hour, so that the same file keeps its URL for a while. */
export function createUrlSigner(secret: string): UrlSigner {
  const signature = (key: string, expiry: string) => createHmac('sha256', secret).update(`${key}\n${expiry}`).digest('base64url');
  return {
    sign(key, now) {
      const expiry = String(Math.ceil((now + MIN_LIFETIME_MS) / HOUR_MS) * 3600);
      return `${expiry}.${signature(key, expiry)}`;
    },
    verify(key, grant, now) {
      const [expiry = '', givenSignature = ''] = grant.split('.');
      if (!/^\d{1,12}$/.test(expiry) || Number(expiry) * 1000 < now) return false;
      const expected = Buffer.from(signature(key, expiry));
      const received = Buffer.from(givenSignature);
      return expected.length === received.length && timingSafeEqual(expected, received);
    },
  };
}

/** Returns the text that is signed for an operator who views a hidden post's file. */
export const hiddenFileKey = (key: string): string => `hidden/${key}`;
