/*
 * What a page with one of our tags runs first; the build makes it the tag's script. It asks at once for the tag's code and, for
 * each tag that stands in the document, for what the server draws of it (server/publish/tag.ts), and shows that until the code
 * takes over. It defines no tag, and keeps nothing.
 */
import { retellDates } from '../src/i18n/when.ts';
import { DRAWN, type Drawing } from './drawn.ts';
import { bySizeOfReader } from './sizes.ts';

/** Put in place by the build: the tag; the attributes that say what it shows, none where nothing is drawn of it; its code. */
declare const __TAG__: string;
declare const __NAMES__: readonly string[];
declare const __CODE__: readonly string[];

/** Then the tag asks for itself, ms. */
const PATIENCE = 5000;
/** Drawings that a page asks for: what stands further below has time until the code is there. */
const MOST = 4;

const asked = new Map<string, Promise<Document | null>>();
const sheets = new Map<string, CSSStyleSheet>();

if (__NAMES__.length > 0) {
  for (const tag of document.querySelectorAll<HTMLElement>(`${__TAG__}:not([loading="lazy"],[grant])`)) {
    const drawing = tag.shadowRoot === null ? show(tag) : null;
    if (drawing !== null) Reflect.set(tag, DRAWN, drawing);
  }
}
for (const path of __CODE__) void import(new URL(path, import.meta.url).href).catch(() => {});

/** Shows what the server drew of a tag; null where it is not asked. */
function show(tag: HTMLElement): Drawing | null {
  const address = addressOf(tag);
  const held = address === null ? undefined : asked.get(address);
  if (address === null || (held === undefined && asked.size >= MOST)) return null;
  const answer = held ?? ask(address);
  asked.set(address, answer);
  return answer.then((page) => put(tag, address, page));
}

function put(tag: HTMLElement, address: string, page: Document | null): string | null {
  const drawn = page?.querySelector('.drawn');
  const [styles, answers] = page?.scripts ?? [];
  // What the tag is to show may have changed meanwhile.
  if (!drawn || !styles || !answers || addressOf(tag) !== address) return null;
  const root = tag.shadowRoot ?? tag.attachShadow({ mode: 'open' });
  if (root.adoptedStyleSheets.length === 0) root.adoptedStyleSheets = [sheetOf(styles.text)];
  const shown = document.importNode(drawn, true);
  if (tag.dir) shown.setAttribute('dir', tag.dir);
  const { lang = '', when = '' } = answers.dataset;
  retellDates(shown, lang, when);
  root.append(shown);
  return answers.text;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = sheets.get(text) ?? new CSSStyleSheet();
  if (!sheets.has(text)) sheet.replaceSync(bySizeOfReader(text));
  sheets.set(text, sheet);
  return sheet;
}

/** Where the drawing of a tag is to be had: a site that names it in a preload says the attributes in this order. */
function addressOf(tag: HTMLElement): string | null {
  const base = tag.getAttribute('api') || import.meta.url;
  if (!URL.canParse(base)) return null;
  const address = new URL(`/elements/drawn/${__TAG__}`, base);
  const said = __NAMES__.map((name) => [name, tag.getAttribute(name)] as const);
  for (const [name, value] of [...said, ['lang', tag.closest('[lang]')?.getAttribute('lang')] as const])
    if (value) address.searchParams.set(name, value);
  return address.href;
}

/** A parser of its own makes nodes of it: nothing in it runs, and no policy of the site's has to allow it. */
function ask(address: string): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.timeout = PATIENCE;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}
