/*
 * Prerendered HTML: fetches the server-rendered content of the tags in the document
 * (server/publishing/pages/elements.ts), and shows it until their code is ready. Used by the loader of the served tags
 * (island.ts), and by tags that are delivered in one script without a loader.
 */
import { isPrerendered, prerenderPath } from '../../contract/prerender.ts';
import { localizeDates, warmUpDateFormats } from '../../src/i18n/format.ts';
import { afterPaint } from '../../src/lib/after-paint.ts';
import { MAX_EAGER_TAGS, PRERENDER_KEY, type Prerender } from './prerender.ts';
import { sanitizePrerender } from './sanitize-prerendered.ts';

/** Build constant: true if a site bundles the tags from npm. */
declare const __PACKAGED__: boolean;

/** After this time without a response the tag fetches its data itself. */
const PRERENDER_TIMEOUT_MS = 5000;
/** Time that a browser needs to paint one tag before the next is inserted. */
const FRAME_MS = 16;
/**
 * Maximum number of prerendered tags that a page without a loader requests. For tags further down, their code will be
 * ready in time.
 */
const MAX_PRERENDERS = 4;

/** Requests for prerendered HTML by its URL. */
const requests = new Map<string, Promise<Document | null>>();
/**
 * Last insertion of the queue: tags are filled one after another, so that the first is visible before the last is laid
 * out.
 */
let lastInsertion: Promise<unknown> | undefined;

/** Returns the tags of a name that have no shadow root yet. */
export const tagsWithoutRoot = (name: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(name)].filter((tag) => tag.shadowRoot === null);

/**
 * Shows the prerendered HTML of the tags that are about to be defined. Requests for it carry no grant, so it has no
 * private content.
 */
export function showPrerenders(name: string): void {
  const tags = tagsWithoutRoot(name).filter((tag) => !tag.matches('[loading="lazy"],[grant]'));
  for (const tag of tags.filter((each, index) => index < MAX_EAGER_TAGS || each.matches('[loading="eager"]'))) showPrerender(tag);
  if (requests.size > 0) warmUpSoon();
}

/** Time after which the HTML was not preloaded, ms: the browser waits for the network, and can warm up the formatters. */
const WARM_UP_DELAY_MS = 100;

/** True after the first use of the formatters, which takes 60 to 100 ms on a slow device. */
let areFormatsWarm = false;

/** Warms up the formatters of dates while the HTML is requested. HTML that was preloaded is painted first. */
export function warmUpSoon(): void {
  setTimeout(() => {
    areFormatsWarm = true;
    warmUpDateFormats(navigator.language);
  }, WARM_UP_DELAY_MS);
}

/** Shows the prerendered HTML of a tag. Does nothing if it must not be requested. */
function showPrerender(tag: HTMLElement): void {
  const url = prerenderUrl(tag);
  if (url === null) return;
  const existing = requests.get(url);
  if (existing === undefined && requests.size >= MAX_PRERENDERS) return;
  const response = existing ?? fetchPrerender(url);
  requests.set(url, response);
  const responses = response.then(async (page) => {
    await waitForTurn();
    const snapshot = readPrerender(page);
    // The tag's attributes may have changed in the meantime.
    if (snapshot === null || tag.shadowRoot === null || prerenderUrl(tag) !== url) return null;
    sanitizePrerender(snapshot.content);
    tag.shadowRoot.replaceChildren(importContent(tag, snapshot));
    return snapshot.responses;
  });
  const prerender: Prerender = { responses };
  Reflect.set(tag, PRERENDER_KEY, prerender);
}

/** Waits until the browser can have painted the tag that was inserted before. */
export async function waitForTurn(): Promise<void> {
  const previousInsertion = lastInsertion;
  lastInsertion = Promise.resolve(previousInsertion).then(() => new Promise((resolve) => setTimeout(resolve, FRAME_MS)));
  await previousInsertion;
}

/** Parts of a prerendered document. */
export interface PrerenderParts {
  readonly content: Element;
  /** Style sheets of the tag: the rules that its content uses. */
  readonly styles: string;
  /** API responses from which it was rendered, as JSON. */
  readonly responses: string;
  readonly lang: string;
  /** Template that combines a day and a time. */
  readonly when: string;
}

/** Returns the parts of a prerendered document; null if it has none. */
export function readPrerender(page: Document | null | undefined): PrerenderParts | null {
  const content = page?.querySelector('.drawn');
  const [stylesScript, responsesScript] = page?.scripts ?? [];
  if (!content || !stylesScript || !responsesScript) return null;
  const { lang = '', when = '' } = responsesScript.dataset;
  return { content, styles: stylesScript.text, responses: responsesScript.text, lang, when };
}

/** Returns a copy of prerendered content for a tag, with dates in the time zone of the reader. */
export function importContent(tag: HTMLElement, { content, lang, when }: PrerenderParts): HTMLElement {
  const copy = document.importNode(content, true) as HTMLElement;
  if (tag.dir) copy.dir = tag.dir;
  if (areFormatsWarm) localizeDates(copy, lang, when);
  else localizeAfterPaint(copy, lang, when);
  return copy;
}

/** Localizes dates after the first paint of the posts. Until then their lines are hidden: their change is no layout shift. */
function localizeAfterPaint(posts: ParentNode, lang: string, when: string): void {
  const lines = [...posts.querySelectorAll<HTMLElement>('.post-facts')];
  for (const { style } of lines) style.visibility = 'hidden';
  afterPaint(() => {
    localizeDates(posts, lang, when);
    for (const line of lines) line.removeAttribute('style');
  });
}

/** Returns the URL of a tag's prerendered HTML. The language is that of the part of the page that contains the tag. */
export function prerenderUrl(tag: HTMLElement): string | null {
  const { localName } = tag;
  const base = tag.getAttribute('api') || (__PACKAGED__ ? '' : import.meta.url);
  if (!isPrerendered(localName) || !URL.canParse(base)) return null;
  const path = prerenderPath(localName, (name) =>
    name === 'lang'
      ? tag.closest('[lang]')?.getAttribute(name)
      : (tag.getAttribute(name) ?? tag.getAttribute(name.replace('-', ''))),
  );
  return new URL(path, base).href;
}

/**
 * Fetches a document; returns null if this fails. XMLHttpRequest parses it with a separate parser: nothing in it runs,
 * and the site's policies need not allow it.
 */
export function fetchPrerender(url: string): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', url);
    request.responseType = 'document';
    request.timeout = PRERENDER_TIMEOUT_MS;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}
