/*
 * What a page with one of our tags runs first; the build makes it the tag's script. It asks for what the server draws of the
 * tags that stand in the document (server/publish/tag.ts), which it shows until the code takes over, and for the code. It
 * defines no tag, and keeps nothing.
 */
import { drawingOf, isDrawn } from '../contract/drawn.ts';
import { readyDates, retellDates } from '../src/i18n/when.ts';
import { AT_ONCE, DRAWN, type Drawing } from './drawn.ts';
import { bySizeOfReader } from './sizes.ts';

/** Put in place by the build: the tag, its code, and what of it posts need that hold more than words and pictures. */
declare const __TAG__: string;
declare const __CODE__: readonly string[];
declare const __PARTS__: readonly string[];

/** Then the tag asks for itself, ms. */
const PATIENCE = 5000;
/** What a browser needs to paint one tag before the next is put in, ms. */
const FRAME = 16;
/** Drawings that a page asks for: what stands further below has time until the code is there. */
const MOST = 4;

const asked = new Map<string, Promise<Document | null>>();
/** Until the tag's own style sheets come; see src/ui/embedded.css, and post.css for a post. */
const room = new CSSStyleSheet();
const least = __TAG__ === 'changer-post' ? '0px' : '100vh';
room.replaceSync(`:host,slot{display:block}slot{min-block-size:var(--changer-reserve,${least})}`);
const sheets = new Map<string, CSSStyleSheet>();
/** Tags are filled one after another, so that the first is seen before the last is laid out. */
let turn = Promise.resolve<unknown>(undefined);

const tags = [...document.querySelectorAll<HTMLElement>(__TAG__)].filter((tag) => tag.shadowRoot === null);
for (const tag of tags) reserve(tag);
const [first, ...others] = tags.filter((tag) => !tag.matches('[loading="lazy"],[grant]')).slice(0, AT_ONCE);
if (first !== undefined) show(first);
// What is drawn of the first is asked for a moment before all else, and so does not have to share the line.
setTimeout(() => {
  if (asked.size > 0) readyDates(navigator.language);
  // Another script may have defined the tag meanwhile.
  for (const tag of others) if (tag.shadowRoot?.adoptedStyleSheets[0] === room) show(tag);
  for (const path of isDrawn(__TAG__) ? [...__CODE__, ...__PARTS__] : __CODE__)
    void import(new URL(path, import.meta.url).href).catch(giveBack);
});

/** Takes the tag's room from now on, so that it pushes nothing down later; its children show. */
function reserve(tag: HTMLElement): void {
  const root = tag.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [room];
  const children = document.createElement('slot');
  // As in fallback.ts: the tag may come before what is drawn of it, and its style sheets with it.
  children.className = 'fallback shown coming';
  root.append(children);
}

/** Where the code does not come the tags' children stand alone, as on a page that knows no tags. */
const giveBack = (): void => room.replaceSync('');

/** Shows what the server drew of a tag; nothing where it is not to be asked. */
function show(tag: HTMLElement): void {
  const address = addressOf(tag);
  const held = address === null ? undefined : asked.get(address);
  if (address === null || (held === undefined && asked.size >= MOST)) return;
  const answer = held ?? ask(address);
  asked.set(address, answer);
  const drawing: Drawing = answer.then(async (page) => {
    const mine = turn;
    turn = mine.then(() => new Promise((next) => setTimeout(next, FRAME)));
    await mine;
    return put(tag, address, page);
  });
  Reflect.set(tag, DRAWN, drawing);
}

function put(tag: HTMLElement, address: string, page: Document | null): string | null {
  const drawn = page?.querySelector('.drawn');
  const [styles, answers] = page?.scripts ?? [];
  // What the tag is to show may have changed meanwhile.
  if (!drawn || !styles || !answers || addressOf(tag) !== address) return null;
  const { shadowRoot: root } = tag;
  if (root === null) return null;
  if (root.adoptedStyleSheets[0] === room) root.adoptedStyleSheets = [sheetOf(styles.text)];
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

/** Where the drawing of a tag is to be had; it speaks the language of its place. */
function addressOf(tag: HTMLElement): string | null {
  const base = tag.getAttribute('api') || import.meta.url;
  if (!isDrawn(__TAG__) || !URL.canParse(base)) return null;
  const path = drawingOf(__TAG__, (name) => (name === 'lang' ? tag.closest('[lang]') : tag)?.getAttribute(name));
  return new URL(path, base).href;
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
