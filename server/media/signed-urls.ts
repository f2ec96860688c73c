import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/**
 * Signed URLs: creates and verifies expiring grants for files of private channels, because an <img> cannot send a
 * header. `now` is unix milliseconds.
 */
export interface UrlSigner {
  /** Creates a grant for one file, as `<expiry>.<signature>`. */
  sign(key: string, now: number): string;
  /** Returns whether a grant is valid for a file at this time. */
  verify(key: string, grant: string, now: number): boolean;
}

const HOUR_MS = 3_600_000;
const HOUR_SECONDS = 3600;
/**
 * Lifetime of a grant, ms. A page that is open for an hour still shows its pictures. A reader who leaves a channel can
 * use its files' URLs for not much longer.
 */
const MIN_LIFETIME_MS = HOUR_MS;

/** Opens the signer with the server's secret. The secret is stored, so that URLs remain valid after a restart. */
export async function openUrlSigner(store: Store): Promise<UrlSigner> {
  return createUrlSigner(await store.getOrCreateSetting('media-secret', randomBytes(32).toString('base64url')));
}

/** Creates a signer with an HMAC secret. An expiry is a full hour, so that a file has the same URL for an hour. */
export function createUrlSigner(secret: string): UrlSigner {
  const signature = (key: string, expiry: string) => createHmac('sha256', secret).update(`${key}\n${expiry}`).digest('base64url');
  return {
    sign(key, now) {
      const expiry = String(Math.ceil((now + MIN_LIFETIME_MS) / HOUR_MS) * HOUR_SECONDS);
      return `${expiry}.${signature(key, expiry)}`;
    },
    verify(key, grant, now) {
      const [expiry = '', receivedSignature = ''] = grant.split('.');
      if (!/^\d{1,12}$/.test(expiry) || Number(expiry) * 1000 < now) return false;
      const expectedBytes = Buffer.from(signature(key, expiry));
      const receivedBytes = Buffer.from(receivedSignature);
      return expectedBytes.length === receivedBytes.length && timingSafeEqual(expectedBytes, receivedBytes);
    },
  };
}

/**
 * Returns the text that is signed for an operator who views a hidden post's file. A reader's grant never matches it.
 */
export const hiddenFileKey = (key: string): string => `hidden/${key}`;
