/*
 * Trusted Types policy, the only one that the CSP allows (server/web/shell.ts names it). Pages block every string that
 * would become markup, a script or a script URL, except for the two uses below. The policy object is not exported:
 * `createScriptURL` always returns the fixed URL of the service worker, and `createHTML` is only used to parse XML
 * documents, which a browser neither displays nor executes.
 */

interface Policy {
  createHTML(text: string): string;
  createScriptURL(url: string): string;
}

/** Path of the service worker (specification 9). */
const WORKER_PATH = '/sw.js';

/**
 * The policy; null if the browser has no Trusted Types, undefined before the first use. A browser accepts a policy name
 * only once.
 */
let policy: Policy | null | undefined;

function getPolicy(): Policy | null {
  const trustedTypes = Reflect.get(window, 'trustedTypes') as { createPolicy(name: string, rules: Policy): Policy } | undefined;
  policy ??= trustedTypes?.createPolicy('changer', { createHTML: (text) => text, createScriptURL: () => WORKER_PATH }) ?? null;
  return policy;
}

/** Returns the service worker's URL in the form that `navigator.serviceWorker.register` accepts. */
export const serviceWorkerUrl = (): string => getPolicy()?.createScriptURL(WORKER_PATH) ?? WORKER_PATH;

/** Parses XML, including untrusted XML. Nothing in it is executed. */
export const parseXml = (text: string): XMLDocument =>
  new DOMParser().parseFromString(getPolicy()?.createHTML(text) ?? text, 'application/xml');
