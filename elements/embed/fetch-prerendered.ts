/*
 * Asks for what the server draws of tags that stand in the document (server/publishing/pages/elements.ts), and shows it until their code takes
 * over: for the loader of the served tags, and for those that come whole in one script.
 */
import { drawingOf, isDrawn } from '../../contract/drawn.ts';
import { readyDates, retellDates } from '../../src/i18n/format.ts';
import { DRAWN, type Drawing, MAX_AT_ONCE } from './prerender.ts';
import { bySizeOfReader } from './rem-to-px.ts';
import { cleanDrawing } from './sanitize-prerendered.ts';

/** True where tags come without a loader, in one script or from a site's bundle; put in place by the build. */
declare const __WHOLE__: boolean;
/** True where a site bundles the tags from npm; put in place by the build. */
declare const __PACKAGED__: boolean;

/** After so long without an answer the tag asks for itself. */
const DRAWING_TIMEOUT_MS = 5000;
/** A browser needs so long to paint one tag before the next is put in. */
const FRAME_MS = 16;
/** Drawings that a page asks for: what stands further below has time until the code is there. */
const MAX_DRAWINGS = 4;

const asked = new Map<string, Promise<Document | null>>();
const sheets = new Map<string, CSSStyleSheet>();
/** Tags are filled one after another, so that the first is seen before the last is laid out. */
let turn: Promise<unknown> | undefined;

/** The tags of a name that nobody has filled yet. */
export const unfilled = (name: string): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(name)].filter((tag) => tag.shadowRoot === null);

/** Of these tags those that are shown as drawn. */
export const toShow = (tags: readonly HTMLElement[]): HTMLElement[] =>
  tags
    .filter((tag) => !tag.matches('[loading="lazy"],[grant]'))
    .filter((tag, at) => at < MAX_AT_ONCE || tag.matches('[loading="eager"]'));

/** Shows the drawings of the tags that are about to be defined. */
export function showDrawings(name: string): void {
  for (const tag of toShow(unfilled(name))) show(tag);
  readyToShow();
}

/** Makes the formats of dates while a drawing is on its way. */
export function readyToShow(): void {
  if (asked.size > 0) readyDates(navigator.language);
}

/** Shows what the server drew of a tag; nothing where it is not to be asked. */
export function show(tag: HTMLElement): void {
  const address = addressOf(tag);
  if (address === null) return;
  const held = asked.get(address);
  if (held === undefined && asked.size >= MAX_DRAWINGS) return;
  const answer = held ?? ask(address);
  asked.set(address, answer);
  const drawing: Drawing = answer.then(async (page) => {
    const mine = turn;
    turn = Promise.resolve(mine).then(() => new Promise((next) => setTimeout(next, FRAME_MS)));
    await mine;
    return put(tag, address, page);
  });
  Reflect.set(tag, DRAWN, drawing);
}

function put(tag: HTMLElement, address: string, page: Document | null): string | null {
  const drawn = page?.querySelector('.drawn');
  const [styles, answers] = page?.scripts ?? [];
  // The tag's attributes may have changed meanwhile.
  const { shadowRoot: root } = tag;
  if (!drawn || !styles || !answers || root === null || addressOf(tag) !== address) return null;
  // A tag that is defined has its own; before that there is the loader's alone.
  if (root.adoptedStyleSheets.length === 1) root.adoptedStyleSheets = [sheetOf(styles.text)];
  if (__WHOLE__) cleanDrawing(drawn);
  const shown = document.importNode(drawn, true);
  if (tag.dir) shown.setAttribute('dir', tag.dir);
  const { lang = '', when = '' } = answers.dataset;
  retellDates(shown, lang, when);
  root.replaceChildren(shown);
  return answers.text;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = sheets.get(text) ?? new CSSStyleSheet();
  if (!sheets.has(text)) sheet.replaceSync(bySizeOfReader(text));
  sheets.set(text, sheet);
  return sheet;
}

/** Returns the address of a tag's drawing, in the language of the tag's place on the page. */
function addressOf(tag: HTMLElement): string | null {
  const { localName } = tag;
  const base = tag.getAttribute('api') || (__PACKAGED__ ? '' : import.meta.url);
  if (!isDrawn(localName) || !URL.canParse(base)) return null;
  const path = drawingOf(localName, (name) =>
    name === 'lang'
      ? tag.closest('[lang]')?.getAttribute(name)
      : (tag.getAttribute(name) ?? tag.getAttribute(name.replace('-', ''))),
  );
  return new URL(path, base).href;
}

/** A parser of its own makes nodes of it: nothing in it runs, and no policy of the site's has to allow it. */
function ask(address: string): Promise<Document | null> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open('GET', address);
    request.responseType = 'document';
    request.timeout = DRAWING_TIMEOUT_MS;
    request.onloadend = () => resolve(request.status === 200 ? request.responseXML : null);
    request.send();
  });
}
