/*
 * What tags on a foreign page work with. The build has every tag load this first; the app does without.
 */

import { ApiError } from '../../src/api/api-error.ts';
import { createApi } from '../../src/api/channels-api.ts';
import { createClient } from '../../src/api/client.ts';
import { type GivenClient, withGiven } from '../../src/api/hydration.ts';
import type { Client } from '../../src/api/types.ts';
import styles from '../../src/components/styles/embedded.css';
import type { Services } from '../../src/context/services.ts';
import { createEmbeddedChannels } from '../../src/data/clients/embedded-client.ts';
import { createBrowserHost } from '../../src/platform/browser.ts';
import { type Embedding, embedWith } from '../define-element.ts';
import type { VersionConflict } from '../events.ts';
import { showDrawings } from './fetch-prerendered.ts';
import { readGrant } from './grant.ts';
import { attend, leave, renew, waits } from './lifecycle.ts';
import { awaitsDrawing } from './prerender.ts';
import { bySizeOfReader } from './rem-to-px.ts';

/** By address and what grants open: a tag on a foreign page has no reader, and one without a grant shares public answers alone. */
const byAddress = new Map<string, Embedded>();

interface Embedded {
  readonly services: Services;
  readonly client: GivenClient;
  /** Of the grants that open the same the one that lasts longest; '' for none. */
  grant: string;
  until: number;
}

/** True where a site bundles the tags from npm; put in place by the build. */
declare const __PACKAGED__: boolean;
/** True where tags come without a loader; put in place by the build. */
declare const __WHOLE__: boolean;

/** Where this script came from is where its API is; one that a site bundles comes from the site, and its tags must say. */
const OWN_ORIGIN = __PACKAGED__ ? '' : new URL(import.meta.url).origin;

/**
 * Gives what tags on a foreign page work with: one per API address and what a grant opens, so that ten tags share their answers.
 * It sends no credentials but that grant, keeps nothing beyond the page, reads no storage or cookie, writes no log, and ignores
 * what holds the page.
 */
function embedded(api: string = OWN_ORIGIN, grant = ''): Embedded {
  const { opens, until } = readGrant(grant);
  const key = `${api} ${opens}`;
  const held = byAddress.get(key) ?? create(api, grant, until);
  byAddress.set(key, held);
  if (until > held.until) {
    // What was asked under one that was over has failed.
    if (held.until < Date.now() / 1000) void held.services.channels.refresh();
    Object.assign(held, { grant, until });
  }
  return held;
}

const refuse = (): Promise<never> =>
  Promise.reject(new ApiError('This tag needs an api attribute: the address of the server that it reads from.', null));

/** What a tag without an address asks: it shows its fallback, and its event says why. */
const NOWHERE: Client = { get: refuse, write: refuse, forget: () => {} };

function create(base: string, grant: string, until: number): Embedded {
  const nowhere = __PACKAGED__ && base === '';
  const client = withGiven(nowhere ? NOWHERE : createClient({ baseUrl: base, session: null, grant: () => held.grant }));
  const services: Services = {
    channels: createEmbeddedChannels(createApi(client)),
    host: createBrowserHost(),
    site: {
      base,
      embedded: true,
      brandName: nowhere ? '' : new URL(base).host,
      botApp: null,
      fit: bySizeOfReader,
      navigate: (path) => window.open(base + path, '_blank', 'noopener'),
    },
  };
  const held: Embedded = { services, client, grant, until };
  return held;
}

/** A tag waits until it is near the view, and for what its loader has asked for. */
const waitsFor = (tag: HTMLElement, mount: () => void): boolean =>
  waits(tag, mount) || awaitsDrawing(tag, (answers) => embedded(apiOf(tag)).client.give(JSON.parse(answers)), mount);

const apiOf = (tag: HTMLElement): string | undefined => Reflect.get(tag, 'api') as string | undefined;

/** The first definition stays, whoever came first: a page can tell, and mend it. */
function refused(tag: string, kept: CustomElementConstructor, version: string): void {
  const other: unknown = Reflect.get(kept, 'version');
  if (other === version) return;
  const detail: VersionConflict = { tag, kept: typeof other === 'string' ? other : null, refused: version };
  document.dispatchEvent(new CustomEvent('changer-version-conflict', { detail }));
}

const dress = (sheets: readonly string[]): readonly string[] => [...sheets, styles].map(bySizeOfReader);

const embedding: Embedding = {
  services: (api, grant) => embedded(api, grant).services,
  dress,
  attend,
  waits: waitsFor,
  renew,
  leave,
  refused,
};
// Served tags have a loader of their own, which has done so.
if (__WHOLE__) embedding.load = showDrawings;
embedWith(embedding);
