/*
 * The public HTML API: one custom element per page. This file alone calls r2wc and customElements.define.
 *
 * r2wc 2.1 mounts, updates and unmounts; nothing else of it is trusted. It gets one property, `given`, with all that a page
 * needs. Attributes and properties are ours, because r2wc's read `flag=""` as false, do not render again for `text=""`, keep a
 * removed attribute's value, lose a property that was set before the upgrade, and throw on malformed values.
 */
import r2wc from '@r2wc/react-to-web-component';
import { type ComponentType, startTransition } from 'react';
import { flushSync } from 'react-dom';
import base from '../src/components/styles/base.css';
import tokens from '../src/components/styles/tokens.css';
import { type Given, PageRoot } from '../src/context/PageRoot.tsx';
import type { Services } from '../src/context/services.ts';
import { type Kind, kebab, readAttribute, readRich, spellings, spelt, writeAttribute } from './attributes.ts';
import { served } from './embed/prerender.ts';
import { keepQuiet } from './silence-react.ts';

/** Any of our tags, as a script sees it. */
export interface ChangerElement extends HTMLElement {
  /** What the page works with; the app sets it, a foreign page leaves it. */
  services: Services | undefined;
  /** The route's parameters. */
  params: Readonly<Record<string, string>> | undefined;
  /** `auto`, as without it, is what the reader's device wants. */
  theme: 'light' | 'dark' | 'auto' | undefined;
  /** The brand's colour, as CSS writes one. */
  accent: string | undefined;
  /** The address of the server; without it, that of the script. */
  api: string | undefined;
  /** What the site's server signed, for private channels; a fresh one is set before it is over. */
  grant: string | undefined;
  /** `compact` takes less room between and inside posts. */
  density: 'comfortable' | 'compact' | undefined;
  /** `lazy` waits until the tag is near the view. */
  loading: 'eager' | 'lazy' | undefined;
}

export interface Definition<Props> {
  /** The page's style sheets; tokens and base come before them. */
  readonly styles: readonly string[];
  /** The page's properties that an attribute, in kebab case, gives. */
  readonly attributes?: { readonly [Name in keyof Props & string]?: Kind };
  /** The page itself shows the tag's children: they stand in for nothing. */
  readonly slotted?: true;
}

/** What tags on foreign pages have of their own; elements/embed/embed-services.ts. The app hands tags their services, and never loads it. */
export interface Embedding {
  /** Gives a tag that nobody hands services what it works with, by its `api` and `grant` attributes. */
  services(api: string | undefined, grant: string | undefined): Services;
  /** Fits a tag's style sheets to the page. */
  dress(sheets: readonly string[]): readonly string[];
  /** A tag is connected, or its root was emptied for its page; `slotted` as in its definition. */
  attend(tag: HTMLElement, slotted: boolean): void;
  /** Whether a tag is not to begin yet; `mount` is called when it is. */
  waits(tag: HTMLElement, mount: () => void): boolean;
  /** A tag shows something else from now on. */
  renew(tag: HTMLElement): void;
  /** A tag is gone. */
  leave(tag: HTMLElement): void;
  /** A tag is about to be defined, whose script has no loader. */
  load?: (tag: string) => void;
  /** Another script has defined the tag before this one. */
  refused(tag: string, kept: CustomElementConstructor, version: string): void;
}

let embedding: Embedding | null = null;

/** Put in place by the build: whether tags stand on foreign pages. In the app's own bundle what follows from it is left out. */
declare const __EMBEDDED__: boolean;

/** Put in place by the build: whether tags come without a loader, in one script or from a site's bundle. */
declare const __WHOLE__: boolean;

/** Says what tags have that are given no services. */
export function embedWith(given: Embedding): void {
  embedding = given;
}

/** Put in place by the build: the package's version. */
declare const __VERSION__: string;

/** Registers a tag for a page. Doing it twice, also from two copies of this file, is harmless: the first stays. */
export function define<Props extends object>(tag: string, Page: ComponentType<Props>, definition: Definition<Props>): void {
  const first = customElements.get(tag);
  if (first !== undefined) {
    if (__EMBEDDED__) embedding?.refused(tag, first, __VERSION__);
    return;
  }
  const own: Kinds = { ...definition.attributes };
  const sheets = [tokens, base, ...definition.styles];
  const plan: Plan = {
    // PageRoot spreads what `attributes` names; a page checks nothing more, as with any JSX.
    Page: Page as ComponentType<object>,
    own: Object.keys(own),
    kinds: { ...COMMON, ...own },
    sheets: ((__EMBEDDED__ && embedding?.dress(sheets)) || sheets).map(createSheet),
    slotted: definition.slotted ?? false,
  };
  class Tag extends PageElement {
    static readonly version = __VERSION__;
    static readonly observedAttributes = [...new Set(Object.keys(plan.kinds).flatMap(spellings))];
    constructor() {
      super(plan);
    }
  }
  if (__WHOLE__) embedding?.load?.(tag);
  PageElement.addProperties(Tag.prototype, plan);
  customElements.define(tag, Tag);
}

type Kinds = Readonly<Record<string, Kind>>;

interface Plan {
  readonly Page: ComponentType<object>;
  /** The attributes that go to the page. */
  readonly own: readonly string[];
  readonly kinds: Kinds;
  readonly sheets: readonly CSSStyleSheet[];
  readonly slotted: boolean;
}

/** What every tag takes. */
export const COMMON: Kinds = {
  lang: 'text',
  dir: ['ltr', 'rtl', 'auto'],
  theme: ['light', 'dark', 'auto'],
  accent: 'text',
  api: 'address',
  grant: 'text',
  density: ['comfortable', 'compact'],
  loading: ['eager', 'lazy'],
};
/** HTML gives every element these properties already. */
const NATIVE = ['lang', 'dir'];
/** Too rich for an attribute. */
const PROPERTIES = ['services', 'params'];

/** What r2wc makes. */
interface Wrapped extends HTMLElement {
  given: Given;
  connectedCallback(): void;
  disconnectedCallback(): void;
}

// A property without a type r2wc stores as it is, and renders again; its declarations know no word for that.
const Base = r2wc(PageRoot, { shadow: 'open', props: { given: undefined } as never }) as unknown as new () => Wrapped;

class PageElement extends Base {
  readonly #plan: Plan;
  readonly #accent = createSheet(':host{}');
  readonly #values = new Map<string, unknown>();
  /** Arrays and objects that properties of attributes were given: frameworks expect the very same one back. */
  readonly #rich = new Map<string, object>();
  #mounted = false;

  constructor(plan: Plan) {
    super();
    this.#plan = plan;
    if (this.shadowRoot !== null) this.shadowRoot.adoptedStyleSheets = [...plan.sheets, this.#accent];
  }

  /** r2wc would empty a declarative root, and throw on one that a loader made; what is in it stays until the page is rendered. */
  override attachShadow(init: ShadowRootInit): ShadowRoot {
    return this.shadowRoot ?? super.attachShadow(init);
  }

  override connectedCallback(): void {
    this.#adoptEarlyProperties();
    if (__EMBEDDED__) embedding?.attend(this, this.#plan.slotted);
    if (__EMBEDDED__ && !this.#mounted && embedding?.waits(this, () => this.#mount(startTransition))) return;
    this.#mount();
  }

  /** r2wc unmounts at once, so a moved element would lose its state; one moved (also by `moveBefore`) is back by the microtask. */
  override disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      if (__EMBEDDED__) embedding?.leave(this);
      if (this.#mounted) super.disconnectedCallback();
      this.#mounted = false;
    });
  }

  attributeChangedCallback(attribute: string): void {
    const found = Object.entries(this.#plan.kinds).find(([name]) => spellings(name).includes(attribute));
    if (found === undefined) return;
    const [name, kind] = found;
    const raw = spelt(this, name);
    const reading = readAttribute(kind, raw);
    this.#rich.delete(name);
    if (__EMBEDDED__ && reading.type === 'refused')
      this.#tell('changer-attribute-refused', { attribute, value: raw, expected: reading.expected });
    this.#values.set(name, reading.type === 'value' ? reading.value : undefined);
    if (name === 'accent') this.#paint(raw);
    this.#update();
    if (__EMBEDDED__ && this.#mounted && this.#plan.own.includes(name)) embedding?.renew(this);
  }

  /** Defines what `plan` names as properties: plain values live in their attribute, rich ones in the element. */
  static addProperties(prototype: PageElement, plan: Plan): void {
    const inAttributes = Object.keys(plan.kinds).filter((name) => !NATIVE.includes(name));
    for (const name of [...inAttributes, ...PROPERTIES]) {
      Object.defineProperty(prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: PageElement) {
          return this.#rich.get(name) ?? this.#values.get(name);
        },
        set(this: PageElement, value: unknown) {
          if (!PROPERTIES.includes(name)) return this.#reflect(name, value);
          this.#values.set(name, value);
          this.#update();
        },
      });
    }
  }

  /** Writes a property into its attribute, from which the page and the loader read it. */
  #reflect(name: string, given: unknown): void {
    const attribute = kebab(name);
    const isRich = typeof given === 'object' && given !== null;
    const reading = isRich ? readRich(this.#plan.kinds[name] ?? 'text', given) : null;
    writeAttribute(this, attribute, reading?.type === 'value' ? reading.value : given);
    if (isRich) this.#rich.set(name, given);
    else this.#rich.delete(name);
    if (__EMBEDDED__ && reading?.type === 'refused')
      this.#tell('changer-attribute-refused', {
        attribute,
        value: Object.prototype.toString.call(given),
        expected: reading.expected,
      });
  }

  /** A property that was set before the upgrade stands on the element itself, and hides the one of its class. */
  #adoptEarlyProperties(): void {
    for (const name of [...Object.keys(this.#plan.kinds), ...PROPERTIES]) {
      if (!Object.hasOwn(this, name)) continue;
      const early: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, early);
    }
  }

  /**
   * Renders at once, as frameworks expect of an element that they have just connected; r2wc alone renders in a later task.
   * Within a commit of our own React, flushSync waits for its end by itself. A tag that was made to wait has time: it is rendered
   * in slices, so that the site answers meanwhile.
   */
  #mount(render: (then: () => void) => void = flushSync): void {
    // React clears an element that it renders into, but not a shadow root: what was served would stay beside the page.
    // What a loader shows goes when the page stands.
    if (!this.#mounted) for (const former of served(this.shadowRoot)) former.remove();
    if (__EMBEDDED__) embedding?.attend(this, this.#plan.slotted);
    render(() => {
      this.given = this.#collect();
      super.connectedCallback();
      keepQuiet(this, this.given.failed);
    });
    this.#mounted = true;
  }

  /** r2wc thinks itself connected from the start: telling it anything before we are would render too early. */
  #update(): void {
    if (this.#mounted) this.given = this.#collect();
  }

  #collect(): Given {
    const { own, Page } = this.#plan;
    const value = <Value>(name: string) => this.#values.get(name) as Value | undefined;
    const props = [...own, 'params'].filter((name) => value(name) !== undefined).map((name) => [name, value(name)]);
    return {
      Page,
      props: Object.fromEntries(props),
      services: value<Services>('services') ?? servicesFor(value<string>('api'), value<string>('grant')),
      lang: value<string>('lang') ?? this.closest('[lang]')?.getAttribute('lang') ?? undefined,
      dir: value<Given['dir']>('dir'),
      failed: (error) => this.#tell('changer-failed', { message: error instanceof Error ? error.message : String(error) }),
    };
  }

  /** Sets the brand colour; a site's own rule for the tag wins over it, and the style attribute stays the site's. */
  #paint(color: string | null): void {
    const known = color === null || CSS.supports('color', color);
    if (__EMBEDDED__ && !known)
      this.#tell('changer-attribute-refused', { attribute: 'accent', value: color, expected: 'a CSS colour' });
    const [rule] = this.#accent.cssRules;
    if (!(rule instanceof CSSStyleRule)) return;
    rule.style.cssText = '';
    if (color === null || !known) return;
    rule.style.setProperty('--changer-brand', color);
    // Few tags have an accent: what makes any colour readable loads for those alone.
    import('../src/theme/brand-accent.ts').then(
      ({ paintBrand }) => {
        if (this.getAttribute('accent') === color) paintBrand(rule.style, color, this.shadowRoot);
      },
      () => {},
    );
  }

  #tell(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

function servicesFor(api: string | undefined, grant: string | undefined): Services {
  if (__EMBEDDED__ && embedding !== null) return embedding.services(api, grant);
  throw new Error('This tag was given no services');
}

function createSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
