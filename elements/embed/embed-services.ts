/*
 * Services of embedded tags on third-party pages. The build makes every tag load this file first; the app does not load
 * it.
 */

import { ApiError } from '../../src/api/api-error.ts';
import { createChannelsApi } from '../../src/api/channels-api.ts';
import { createHttpClient } from '../../src/api/client.ts';
import { type HydratedClient, withHydration } from '../../src/api/hydration.ts';
import type { HttpClient } from '../../src/api/types.ts';
import styles from '../../src/components/styles/embedded.css';
import type { AppServices } from '../../src/context/services.ts';
import { createEmbeddedClient } from '../../src/data/clients/embedded-client.ts';
import { createBrowserHost } from '../../src/platform/browser.ts';
import { setEmbedHooks } from '../define-element.ts';
import type { EmbedHooks } from '../element-types.ts';
import type { VersionConflict } from '../events.ts';
import { showPrerenders } from './fetch-prerendered.ts';
import { parseGrant } from './grant.ts';
import { attach, contentStatus, deferMount, detach, reset } from './lifecycle.ts';
import { waitForPrerender } from './prerender.ts';
import { remToPx } from './rem-to-px.ts';

/**
 * Cache of services. The key is the API address and the access that a grant gives. A tag on a third-party page has no
 * reader, so tags without a grant share public responses only.
 */
const servicesByAccess = new Map<string, EmbeddedServices>();

interface EmbeddedServices {
  readonly services: AppServices;
  readonly client: HydratedClient;
  /** The grant that expires last, among the grants with the same access; '' for none. */
  grant: string;
  grantExpiresAt: number;
}

/** Build constant: true if a site bundles the tags from npm. */
declare const __PACKAGED__: boolean;
/** Build constant: true if tags are delivered without a loader. */
declare const __SELF_CONTAINED__: boolean;

/**
 * The API has the same origin as this script. A site serves the script that it bundles, so its tags must have
 * an `api` attribute.
 */
const OWN_ORIGIN = __PACKAGED__ ? '' : new URL(import.meta.url).origin;

/**
 * Returns the services of tags on a third-party page. There is one set per API address and per access of a grant, so
 * that ten tags share their responses. They send no credentials except that grant, store nothing beyond the life of the
 * page, read no storage or cookie, write no log, and ignore the host that contains the page.
 */
function getEmbeddedServices(api: string = OWN_ORIGIN, grant = ''): EmbeddedServices {
  const { access, expiresAt } = parseGrant(grant);
  const key = `${api} ${access}`;
  const entry = servicesByAccess.get(key) ?? createEmbeddedServices(api, grant, expiresAt);
  servicesByAccess.set(key, entry);
  if (expiresAt > entry.grantExpiresAt) {
    // Requests that were sent with an expired grant have failed, so they are repeated.
    if (entry.grantExpiresAt < Date.now() / 1000) void entry.services.dataClient.refresh();
    Object.assign(entry, { grant, grantExpiresAt: expiresAt });
  }
  return entry;
}

const rejectWithoutApi = (): Promise<never> =>
  Promise.reject(new ApiError('This tag needs an api attribute: the address of the server that it reads from.', null));

/**
 * Client of a tag without an address: each request fails, so the tag shows its fallback content, and its event contains
 * the reason.
 */
const NO_API_CLIENT: HttpClient = { get: rejectWithoutApi, write: rejectWithoutApi, clearCache: () => {} };

function createEmbeddedServices(base: string, grant: string, grantExpiresAt: number): EmbeddedServices {
  const hasNoApi = __PACKAGED__ && base === '';
  const client = withHydration(
    hasNoApi ? NO_API_CLIENT : createHttpClient({ baseUrl: base, tokenStorage: null, siteAccessToken: () => entry.grant }),
  );
  const services: AppServices = {
    dataClient: createEmbeddedClient(createChannelsApi(client)),
    host: createBrowserHost(),
    environment: {
      baseUrl: base,
      embedded: true,
      brandName: hasNoApi ? '' : new URL(base).host,
      botApp: null,
      adaptStyleSheet: remToPx,
      navigate: (path) => window.open(base + path, '_blank', 'noopener'),
    },
  };
  const entry: EmbeddedServices = { services, client, grant, grantExpiresAt };
  return entry;
}

/**
 * Returns whether a tag must wait: until it is near the viewport, or for the prerendered HTML that its loader has
 * requested.
 */
const deferUntilReady = (tag: HTMLElement, mount: () => void): boolean =>
  deferMount(tag, mount) ||
  waitForPrerender(tag, (responses) => getEmbeddedServices(apiOf(tag)).client.addResponses(JSON.parse(responses)), mount);

const apiOf = (tag: HTMLElement): string | undefined => Reflect.get(tag, 'api') as string | undefined;

/**
 * Reports a version conflict. The first definition stays, whichever it is; a page can detect the event and fix the
 * cause.
 */
function reportVersionConflict(tag: string, existing: CustomElementConstructor, version: string): void {
  const existingVersion: unknown = Reflect.get(existing, 'version');
  if (existingVersion === version) return;
  const detail: VersionConflict = { tag, kept: typeof existingVersion === 'string' ? existingVersion : null, refused: version };
  document.dispatchEvent(new CustomEvent('changer-version-conflict', { detail }));
}

const adaptStyles = (sheets: readonly string[]): readonly string[] => [...sheets, styles].map(remToPx);

const embedHooks: EmbedHooks = {
  services: (api, grant) => getEmbeddedServices(api, grant).services,
  adaptStyles,
  attach,
  contentStatus,
  deferMount: deferUntilReady,
  reset,
  detach,
  onVersionConflict: reportVersionConflict,
};
// The tags that our server serves have a separate loader, which has requested the prerendered HTML already.
if (__SELF_CONTAINED__) embedHooks.beforeDefine = showPrerenders;
setEmbedHooks(embedHooks);
