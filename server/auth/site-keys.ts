import { createHmac, randomBytes } from 'node:crypto';
import type { Store } from '../storage/ports/store.ts';

/** Gives each key for a site its secret. None is kept: it is made of the key's id and a secret of the server's own. */
export interface SiteKeys {
  secretOf(id: string): string;
}

/** Opens them by the server's secret, kept in the store so that sites' keys outlive a restart. */
export async function openSiteKeys(store: Store): Promise<SiteKeys> {
  return createSiteKeys(await store.factOr('site-keys-secret', randomBytes(32).toString('base64url')));
}

/** Makes them of a secret. */
export const createSiteKeys = (secret: string): SiteKeys => ({
  secretOf: (id) => createHmac('sha256', secret).update(`site key\n${id}`).digest('base64url'),
});

/** A key's id: as long as it takes never to come twice. */
export const newKeyId = (): string => randomBytes(12).toString('base64url');
