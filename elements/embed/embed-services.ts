/* Services of embedded tags on third-party pages. The build makes every tag load this file first; the app does not load it. */

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

/**
 * Cache of services by API address and by the access that a grant gives. A tag on a third-party page has no reader, and a tag
 * without a grant shares public responses only.
 */
const byAddress = new Map<string, Embedded>();

interface Embedded {
  readonly services: Services;
  readonly client: GivenClient;
  /** Of the grants that give the same access, the one that expires last; '' for none. */
  grant: string;
  until: number;
}

/** Build constant: true if a site bundles the tags from npm. */
declare const __PACKAGED__: boolean;
/** Build constant: true if tags come without a loader. */
declare const __WHOLE__: boolean;

/**
 * The API has the same origin as this script. A script that a site bundles comes from the site, so its tags must have an `api`
 * attribute.
 */
const OWN_ORIGIN = __PACKAGED__ ? '' : new URL(import.meta.url).origin;

/**
 * Returns the services of tags on a third-party page. There is one set per API address and per access of a grant, so that ten
 * tags share their responses. They send no credentials except that grant, store nothing beyond the life of the page, read no
 * storage or cookie, write no log, and ignore the host that contains the page.
 */
function embedded(api: string = OWN_ORIGIN, grant = ''): Embedded {
  const { opens, until } = readGrant(grant);
  const key = `${api} ${opens}`;
  const held = byAddress.get(key) ?? create(api, grant, until);
  byAddress.set(key, held);
  if (until > held.until) {
    // Requests that were sent with an expired grant have failed.
    if (held.until < Date.now() / 1000) void held.services.channels.refresh();
    Object.assign(held, { grant, until });
  }
  return held;
}

const refuse = (): Promise<never> =>
  Promise.reject(new ApiError('This tag needs an api attribute: the address of the server that it reads from.', null));

/**
 * Client of a tag without an address: each request fails, so the tag shows its fallback content, and its event contains the
 * reason.
 */
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

/** Returns whether a tag waits: until it is near the viewport, and for the content that its loader has requested. */
const waitsFor = (tag: HTMLElement, mount: () => void): boolean =>
  waits(tag, mount) || awaitsDrawing(tag, (answers) => embedded(apiOf(tag)).client.give(JSON.parse(answers)), mount);

const apiOf = (tag: HTMLElement): string | undefined => Reflect.get(tag, 'api') as string | undefined;

/** Reports a version conflict. The first definition stays, whichever it is; a page can detect the event and fix the cause. */
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
// Tags served by our server have a loader of their own, which has done this already.
if (__WHOLE__) embedding.load = showDrawings;
embedWith(embedding);
