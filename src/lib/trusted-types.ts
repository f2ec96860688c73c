/*
 * The one policy of Trusted Types (server/web/shell.ts names it): pages refuse every text that would become markup, a script or a
 * script's address, but for these two. Nothing else gets hold of the policy: of the worker only its fixed address leaves it,
 * and of a text only a document of XML, which a browser neither shows nor runs.
 */

interface Policy {
  createHTML(text: string): string;
  createScriptURL(address: string): string;
}

/** Path of the service worker (specification 9). */
const WORKER = '/sw.js';

/** A browser takes a policy of a name once; null where it knows none. */
let policy: Policy | null | undefined;

function trust(): Policy | null {
  const types = Reflect.get(window, 'trustedTypes') as { createPolicy(name: string, rules: Policy): Policy } | undefined;
  policy ??= types?.createPolicy('changer', { createHTML: (text) => text, createScriptURL: () => WORKER }) ?? null;
  return policy;
}

/** The worker's address, as navigator.serviceWorker.register takes it. */
export const workerAddress = (): string => trust()?.createScriptURL(WORKER) ?? WORKER;

/** Parses XML, of strangers too: nothing in it runs. */
export const parseXml = (text: string): XMLDocument =>
  new DOMParser().parseFromString(trust()?.createHTML(text) ?? text, 'application/xml');
