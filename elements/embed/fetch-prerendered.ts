/*
 * Prerendered HTML: fetches the server-rendered content of the tags in the document
 * (server/publishing/pages/elements.ts), and shows it until their code is ready. Used by the loader of the served tags,
 * and by tags that are delivered in one script without a loader.
 */
import { isPrerendered, prerenderPath } from '../../contract/prerender.ts';
import { localizeDates, warmUpDateFormats } from '../../src/i18n/format.ts';
import { MAX_EAGER_TAGS, PRERENDER_KEY, type PrerenderPromise } from './prerender.ts';
import { remToPx } from './rem-to-px.ts';
import { sanitizePrerender } from './sanitize-prerendered.ts';

/** Build constant: true if tags are delivered without a loader, in one script or in a site's bundle. */
declare const __SELF_CONTAINED__: boolean;
/** Build constant: true if a site bundles the tags from npm. */
declare const __PACKAGED__: boolean;

/** After this time without a response the tag fetches its data itself. */
const PRERENDER_TIMEOUT_MS = 5000;
/** Time that a browser needs to paint one tag before the next is inserted. */
const FRAME_MS = 16;
/** Maximum number of prerendered tags that a page requests. For tags further down, their code will be ready in time. */
const MAX_PRERENDERS = 4;

/** Requests for prerendered HTML by its URL. */
const requests = new Map<string, Promise<Document | null>>();
/** Style sheets by their text. */
const sheets = new Map<string, CSSStyleSheet>();
/**
 * Last insertion of the queue: tags are filled one after another, so that the first is visible before the last is laid
 * out.
 */
let lastInsertion: Promise<unknown> | undefined;

/** Returns the tags of a name that have no shadow root yet. */
export const tagsWithoutRoot = (name: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(name)].filter((tag) => tag.shadowRoot === null);

/**
 * Selects the tags whose prerendered HTML is to be shown. Requests for it carry no grant, so it has no private content.
 */
export const selectForPrerender = (tags: readonly HTMLElement[]): HTMLElement[] =>
  tags
    .filter((tag) => !tag.matches('[loading="lazy"],[grant]'))
    .filter((tag, index) => index < MAX_EAGER_TAGS || tag.matches('[loading="eager"]'));

/** Shows the prerendered HTML of the tags that are about to be defined. */
export function showPrerenders(name: string): void {
  for (const tag of selectForPrerender(tagsWithoutRoot(name))) showPrerender(tag);
  warmUpWhileLoading();
}

/** Creates the date formats while a request for prerendered HTML is pending. */
export function warmUpWhileLoading(): void {
  if (requests.size > 0) warmUpDateFormats(navigator.language);
}

/** Shows the prerendered HTML of a tag. Does nothing if it must not be requested. */
export function showPrerender(tag: HTMLElement): void {
  const url = prerenderUrl(tag);
  if (url === null) return;
  const existing = requests.get(url);
  if (existing === undefined && requests.size >= MAX_PRERENDERS) return;
  const response = existing ?? fetchPrerender(url);
  requests.set(url, response);
  const prerender: PrerenderPromise = response.then(async (page) => {
    const previousInsertion = lastInsertion;
    lastInsertion = Promise.resolve(previousInsertion).then(() => new Promise((resolve) => setTimeout(resolve, FRAME_MS)));
    await previousInsertion;
    return insertPrerender(tag, url, page);
  });
  Reflect.set(tag, PRERENDER_KEY, prerender);
}

function insertPrerender(tag: HTMLElement, url: string, page: Document | null): string | null {
  const prerendered = page?.querySelector('.drawn');
  const [stylesScript, responsesScript] = page?.scripts ?? [];
  // The tag's attributes may have changed in the meantime.
  const { shadowRoot: root } = tag;
  if (!prerendered || !stylesScript || !responsesScript || root === null || prerenderUrl(tag) !== url) return null;
  // A tag that is defined has its own style sheets. Before that it has only the loader's.
  if (root.adoptedStyleSheets.length === 1) root.adoptedStyleSheets = [sheetOf(stylesScript.text)];
  if (__SELF_CONTAINED__) sanitizePrerender(prerendered);
  const content = document.importNode(prerendered, true);
  if (tag.dir) content.setAttribute('dir', tag.dir);
  const { lang = '', when = '' } = responsesScript.dataset;
  localizeDates(content, lang, when);
  root.replaceChildren(content);
  return responsesScript.text;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = sheets.get(text) ?? new CSSStyleSheet();
  if (!sheets.has(text)) sheet.replaceSync(remToPx(text));
  sheets.set(text, sheet);
  return sheet;
}

/** Returns the URL of a tag's prerendered HTML. The language is that of the part of the page that contains the tag. */
function prerenderUrl(tag: HTMLElement): string | null {
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
 * Fetches a document. XMLHttpRequest parses it with a separate parser: nothing in it runs, and the site's policies need
 * not allow it.
 */
function fetchPrerender(url: string): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', url);
    request.responseType = 'document';
    request.timeout = PRERENDER_TIMEOUT_MS;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}
