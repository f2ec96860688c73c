import { orTrouble } from '../../lib/infrastructure-errors.ts';
import type { Say } from '../../lib/logger.ts';
import { soon } from '../../lib/time.ts';
import type { Store } from '../../storage/ports/store.ts';
import type { Web } from '../../web/web-app.ts';

/** Services that this module uses. */
export type PageCacheDeps = {
  readonly store: Pick<Store, 'lastEvent'>;
  readonly web: () => Web;
  readonly now: () => number;
  readonly passed: () => number;
  readonly log: Say;
};

/** What something is made of; anything else than that makes it old. */
export interface Basis {
  readonly web: Web;
  /** The store's last event. */
  readonly event: number;
  /** Unix milliseconds: what is made tells the app of when it is. */
  readonly at: number;
  /** The same moment as the services' `passed`, which no clock that is set makes older or younger. */
  readonly passed: number;
}

/** Gives what is called by `key`: as it was made while that is current, else made anew, by one maker for all who wait. */
export type Made<Thing> = (key: string, make: (of: Basis) => Promise<Thing | null>) => Promise<Thing | null>;

/** A burst of posts is drawn once, ms. */
const FRESH = 2000;
/** Dates are told from now: "8 minutes ago". */
const OLD = 60_000;
/** Things held, 150 kB each. */
const HELD = 100;
/** Made at a time; who comes then gets null, as where making failed, and has the reader's browser fetch what it shows. */
const AT_ONCE = 4;

/** Holds what is made of the store's contents, each as long as they have not changed. */
export function createMade<Thing>(deps: PageCacheDeps): Made<Thing> {
  const held = new Map<string, { readonly thing: Thing | null; readonly of: Basis }>();
  const making = new Map<string, Promise<Thing | null>>();

  // Who waits for a page gets the shell where the store says nothing.
  const lastEvent = () => soon(deps.store.lastEvent());

  async function isCurrent({ web, event, passed }: Basis): Promise<boolean> {
    const age = deps.passed() - passed;
    if (web !== deps.web() || age >= OLD) return false;
    // Where the store does not say, what was made within a minute stands, as it does in any cache.
    return age < FRESH || [event, null].includes(await lastEvent().catch(orTrouble));
  }
  async function makeAnew(key: string, make: (of: Basis) => Promise<Thing | null>): Promise<Thing | null> {
    // Before anything is read: what happens meanwhile makes it old.
    const of = { web: deps.web(), event: await lastEvent(), at: deps.now(), passed: deps.passed() };
    const thing = await make(of);
    held.delete(key);
    held.set(key, { thing, of });
    for (const oldest of held.keys()) if (held.size > HELD) held.delete(oldest);
    return thing;
  }

  return async (key, make) => {
    const found = held.get(key);
    if (found !== undefined && (await isCurrent(found.of))) return found.thing;
    const under = making.get(key);
    if (under !== undefined) return under;
    if (making.size >= AT_ONCE) return null;
    const made = makeAnew(key, make)
      .catch((error: unknown) => {
        deps.log(`A ${key.startsWith('/elements') ? 'tag' : 'page'} could not be drawn.`, error);
        return null;
      })
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  };
}
