/*
 * Island: a tag that shows its prerendered HTML, and mounts its page (hydrates) only when it is needed. The loader of
 * the tags uses it; it stores nothing.
 */
import {
  fetchPrerender,
  importContent,
  type PrerenderParts,
  prerenderUrl,
  readPrerender,
  waitForTurn,
} from './fetch-prerendered.ts';
import { openedPost } from './post-link-click.ts';
import { COUNTED_SELECTOR, PRERENDER_KEY, type Prerender } from './prerender.ts';
import { remToPx } from './rem-to-px.ts';

/** Time for which tags share a response. Caches keep it as long. */
const RESPONSE_LIFETIME_MS = 60_000;
/** Controls that need the tag's code. */
const CONTROL_SELECTOR = 'button,[role=button],input,a.open,a[data-jump]';
/** Elements that work without it. */
const NATIVE_SELECTOR = 'a,summary,video,audio';

/** Events of a visitor who uses the tag. */
const EVENTS = ['pointerdown', 'keydown', 'focusin', 'click', 'auxclick', 'submit'];

/** Time for which the first tag of a page has the connection to itself, ms. */
const HEAD_START_MS = 100;

/** Settles when tags after the first may send requests. */
let firstRequest: Promise<unknown> | undefined;
/** Requests for prerendered HTML by its URL. */
const requests = new Map<string, Promise<Document | null>>();
/** Style sheets by their text. */
const sheets = new Map<string, CSSStyleSheet>();

type Visit = typeof import('./visit.ts');

/** Code that all islands of a page share. */
export interface IslandCode {
  /** Loads the code of all tags of this name. */
  load(): Promise<unknown>;
  /** Loads the chunk of visit.ts, which is `visit` then. */
  loadVisit(): Promise<unknown>;
  visit?: Visit;
}

/** Island: a tag with prerendered HTML that has not mounted. */
export class Island {
  readonly #tag: HTMLElement;
  readonly #root: ShadowRoot;
  readonly #code: IslandCode;
  readonly #prerender: Prerender;
  /** Style sheet for the accent color; the one of the tag's class has the same purpose. */
  readonly accent = new CSSStyleSheet();
  #resolveResponses: (responses: string | null) => void = () => {};
  /** The HTML that is shown; undefined while it is loading, null if there is none. */
  #shown: PrerenderParts | null | undefined;
  #content: HTMLElement | undefined;
  /** URL of the HTML that was requested. */
  url: string | null = null;
  /** Control whose click is repeated when the page is mounted. */
  #tapped: Element | null = null;
  #isWanted = false;
  #isPressed = false;
  #isReplacing = false;
  #isBroken = false;

  constructor(tag: HTMLElement, root: ShadowRoot, code: IslandCode) {
    this.#tag = tag;
    this.#root = root;
    this.#code = code;
    this.#prerender = {
      responses: new Promise((resolve) => {
        this.#resolveResponses = resolve;
      }),
      handOver: () => {
        for (const type of EVENTS) root.removeEventListener(type, this);
        const restore = this.#recordState();
        return () => restore?.(root.querySelector('.root') ?? root);
      },
    };
    Reflect.set(tag, PRERENDER_KEY, this.#prerender);
    for (const type of EVENTS) root.addEventListener(type, this);
  }

  /** True if the tag has mounted its page. */
  get isMounted(): boolean {
    return this.#prerender.isUsed ?? false;
  }

  /** HTML that is shown, unless the tag is about to mount, and its copy in the tag. */
  get shown() {
    return { parts: this.#isWanted ? null : this.#shown, content: this.#content };
  }

  /** Mounts the page of the tag as soon as its code is loaded. */
  hydrate(): void {
    this.#isWanted = true;
    this.#code.load().catch(() => {
      this.#isBroken = true;
    });
    // A page that replaced the content between press and release would lose the click.
    if (this.#isPressed || this.#shown === undefined) return;
    const responses = this.#shown?.responses ?? null;
    const mount = () => this.#resolveResponses(responses);
    if (this.#shown) this.#code.loadVisit().then(mount, mount);
    else mount();
  }

  /** Shows the HTML for the present attributes. Mounts the page if there is none. */
  async show(): Promise<void> {
    const url = prerenderUrl(this.#tag);
    this.url = url;
    const page = url === null ? null : await requestPrerender(url);
    await waitForTurn();
    // The tag's attributes may have changed in the meantime.
    if (this.#prerender.isUsed || this.url !== url) return;
    const parts = readPrerender(page);
    this.#shown = parts;
    if (parts) {
      this.insert(parts);
      this.#prerender.isReported = true;
      this.#emit('changer-loaded', { count: this.#content?.querySelectorAll(COUNTED_SELECTOR).length });
    }
    if (this.#isWanted || !parts) this.hydrate();
  }

  /** Handles the events of a visitor. */
  handleEvent(event: Event): void {
    const [target] = event.composedPath();
    if (!(target instanceof Element)) return;
    const control = target.closest(CONTROL_SELECTOR);
    const isNative = !control && target.closest(NATIVE_SELECTOR) !== null;
    const { type, key, button, ctrlKey, metaKey, shiftKey, altKey } = event as KeyboardEvent & MouseEvent;
    const hasModifier = ctrlKey || metaKey || altKey;
    if (type === 'focusin') {
      if (!this.#isPressed && !this.#isReplacing) this.hydrate();
    } else if (type === 'submit') this.#tap(event, target);
    else if (type === 'pointerdown') {
      this.#press('pointerup', 'pointercancel');
      if (!isNative) this.hydrate();
    } else if (type !== 'keydown') {
      const post = openedPost(event);
      // The tag's own code dispatches this event once it is loaded.
      if (post && !this.#isDefined() && !this.#emit('changer-post-opened', post, true)) event.preventDefault();
      const isPlain = button === 0 && !hasModifier && !shiftKey;
      if (isPlain && control && !event.defaultPrevented && !control.matches('input')) this.#tap(event, control);
    } else if (!hasModifier) {
      const isActivation = key === 'Enter' || key === ' ';
      this.#press('keyup');
      if (isActivation && control?.matches('[role=button]')) this.#tap(event, control);
      else if (!isActivation || !isNative) this.hydrate();
    }
  }

  /** Waits until the pointer or the key is released, and its click is dispatched. */
  #press(...releases: readonly string[]): void {
    this.#isPressed = true;
    const release = () => {
      this.#isPressed = false;
      if (this.#isWanted) this.hydrate();
    };
    for (const type of releases) addEventListener(type, () => setTimeout(release), { capture: true, once: true });
  }

  /** Mounts the page, and then repeats the click on a control. */
  #tap(event: Event, control: Element): void {
    if (this.#isBroken && control instanceof HTMLAnchorElement) return;
    event.preventDefault();
    this.#tapped = control;
    this.hydrate();
    // Without its code, a picture opens like a normal link.
    this.#code.load().catch(() => control instanceof HTMLAnchorElement && open(control.href, '_blank', 'noopener'));
  }

  /** Shows HTML in the place of the HTML that is shown. */
  insert(parts: PrerenderParts): void {
    const previous = this.#content?.isConnected ? this.#content : undefined;
    const restore = previous && this.#recordState();
    const content = importContent(this.#tag, parts);
    // The inert forms are for tags without a loader: there nothing would prevent that they are submitted to the site.
    for (const form of content.querySelectorAll('form')) form.inert = false;
    this.#shown = parts;
    this.#content = content;
    this.#isReplacing = true;
    // A tag that is defined has its own style sheets.
    if (!this.#isDefined()) this.#root.adoptedStyleSheets = [sheetOf(parts.styles), this.accent];
    if (previous) previous.replaceWith(content);
    else this.#root.replaceChildren(content);
    restore?.(content);
    this.#isReplacing = false;
  }

  #recordState(): ReturnType<Visit['recordState']> | undefined {
    return this.#content && this.#code.visit?.recordState(this.#content, this.#root, this.#tapped);
  }

  #isDefined(): boolean {
    return this.#tag.matches(':defined');
  }

  #emit(type: string, detail: object, cancelable = false): boolean {
    return this.#tag.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  }
}

function requestPrerender(url: string): Promise<Document | null> {
  const page = requests.get(url) ?? (firstRequest ? firstRequest.then(() => fetchPrerender(url)) : fetchPrerender(url));
  firstRequest ??= Promise.race([page, new Promise((resolve) => setTimeout(resolve, HEAD_START_MS))]);
  requests.set(url, page);
  setTimeout(() => requests.delete(url), RESPONSE_LIFETIME_MS);
  return page;
}

function sheetOf(text: string): CSSStyleSheet {
  const sheet = sheets.get(text) ?? new CSSStyleSheet();
  if (!sheets.has(text)) sheet.replaceSync(remToPx(text));
  sheets.set(text, sheet);
  return sheet;
}
