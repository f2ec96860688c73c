import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/** Signs and checks the expiring grants that let an <img> show a private channel's file: it cannot send a header. */
export interface Grants {
  /** A grant for one file, as `<expiry>.<signature>`. */
  sign(key: string, now: number): string;
  valid(key: string, grant: string, now: number): boolean;
}

const HOUR = 3_600_000;
/** A page that is read for an hour shows its pictures; who leaves a channel has its files' addresses for not much longer. */
const LIFE = HOUR;

/** Makes grants from the server's own secret, kept in the store so that a restart breaks no address. */
export async function openGrants(store: Store): Promise<Grants> {
  return createGrants(await store.factOr('media-secret', randomBytes(32).toString('base64url')));
}

/** `now` is milliseconds; an expiry is a whole hour, so that the same file keeps its address for a while. */
export function createGrants(secret: string): Grants {
  const signature = (key: string, expiry: string) => createHmac('sha256', secret).update(`${key}\n${expiry}`).digest('base64url');
  return {
    sign(key, now) {
      const expiry = String(Math.ceil((now + LIFE) / HOUR) * 3600);
      return `${expiry}.${signature(key, expiry)}`;
    },
    valid(key, grant, now) {
      const [expiry = '', given = ''] = grant.split('.');
      if (!/^\d{1,12}$/.test(expiry) || Number(expiry) * 1000 < now) return false;
      const wanted = Buffer.from(signature(key, expiry));
      const got = Buffer.from(given);
      return wanted.length === got.length && timingSafeEqual(wanted, got);
    },
  };
}

/** What is signed for an operator who looks at a hidden post's file. */
export const hiddenKey = (key: string): string => `hidden/${key}`;
