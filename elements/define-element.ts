/*
 * Custom element registration: the public HTML API, one custom element per page. Only this file calls r2wc and
 * customElements.define.
 *
 * r2wc 2.1 mounts, updates and unmounts the React tree; we use no other feature of it. It receives one property, `given`, with
 * all that a page needs. Attributes and properties are our own code, because those of r2wc parse `flag=""` as false, do not
 * render again for `text=""`, keep the value of a removed attribute, lose a property that was set before the upgrade, and throw
 * on malformed values.
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

/** Script interface that all tags share. */
export interface ChangerElement extends HTMLElement {
  /** Services of the page. The app sets them; a third-party page does not. */
  services: Services | undefined;
  /** The route's parameters. */
  params: Readonly<Record<string, string>> | undefined;
  /** `auto`, the default, follows the preference of the reader's device. */
  theme: 'light' | 'dark' | 'auto' | undefined;
  /** The brand's colour, as a CSS colour. */
  accent: string | undefined;
  /** The address of the server. The default is the origin of the script. */
  api: string | undefined;
  /** Access token for private channels, signed by the site's server. The site sets a new one before it expires. */
  grant: string | undefined;
  /** `compact` reduces the space between and inside posts. */
  density: 'comfortable' | 'compact' | undefined;
  /** `lazy` waits until the tag is near the viewport. */
  loading: 'eager' | 'lazy' | undefined;
}

export interface Definition<Props> {
  /** The page's style sheets. Tokens and base styles come before them. */
  readonly styles: readonly string[];
  /** The page's properties that have an attribute; the attribute's name is in kebab case. */
  readonly attributes?: { readonly [Name in keyof Props & string]?: Kind };
  /** The page itself shows the tag's children; they are no fallback content. */
  readonly slotted?: true;
}

/**
 * Functions for tags on third-party pages (elements/embed/embed-services.ts). The app sets the services of its tags, and never
 * loads them.
 */
export interface Embedding {
  /** Returns the services for a tag that was given none, by its `api` and `grant` attributes. */
  services(api: string | undefined, grant: string | undefined): Services;
  /** Adapts a tag's style sheets to the page. */
  dress(sheets: readonly string[]): readonly string[];
  /** Called when a tag is connected, or when its root was emptied for its page. `slotted` is as in its definition. */
  attend(tag: HTMLElement, slotted: boolean): void;
  /** Returns whether a tag must not mount yet. If so, `mount` is called later. */
  waits(tag: HTMLElement, mount: () => void): boolean;
  /** Called when a tag's attributes select other content. */
  renew(tag: HTMLElement): void;
  /** Called when a tag is removed. */
  leave(tag: HTMLElement): void;
  /** Called before a tag is defined whose script has no loader. */
  load?: (tag: string) => void;
  /** Called if another script has defined the tag before this one. */
  refused(tag: string, kept: CustomElementConstructor, version: string): void;
}

let embedding: Embedding | null = null;

/** Build constant: whether tags are on third-party pages. The app's own bundle leaves out the code that depends on it. */
declare const __EMBEDDED__: boolean;

/** Build constant: whether tags come without a loader, in one script or from a site's bundle. */
declare const __WHOLE__: boolean;

/** Sets the functions for tags that are given no services. */
export function embedWith(given: Embedding): void {
  embedding = given;
}

/** Build constant: the package's version. */
declare const __VERSION__: string;

/** Registers a tag for a page. A second call, also from another copy of this file, is harmless: the first definition stays. */
export function define<Props extends object>(tag: string, Page: ComponentType<Props>, definition: Definition<Props>): void {
  const first = customElements.get(tag);
  if (first !== undefined) {
    if (__EMBEDDED__) embedding?.refused(tag, first, __VERSION__);
    return;
  }
  const own: Kinds = { ...definition.attributes };
  const sheets = [tokens, base, ...definition.styles];
  const plan: Plan = {
    // PageRoot spreads the props that `attributes` names. Like any JSX, a page does not check them at run time.
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
  /** The attributes that are passed to the page. */
  readonly own: readonly string[];
  readonly kinds: Kinds;
  readonly sheets: readonly CSSStyleSheet[];
  readonly slotted: boolean;
}

/** Attributes that every tag has. */
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
/** Properties that every HTML element has already. */
const NATIVE = ['lang', 'dir'];
/** Properties without an attribute, because their values are objects. */
const PROPERTIES = ['services', 'params'];

/** The element class that r2wc creates. */
interface Wrapped extends HTMLElement {
  given: Given;
  connectedCallback(): void;
  disconnectedCallback(): void;
}

// r2wc stores a property without a type as it is, and renders again when it changes; its type declarations do not allow that.
const Base = r2wc(PageRoot, { shadow: 'open', props: { given: undefined } as never }) as unknown as new () => Wrapped;

class PageElement extends Base {
  readonly #plan: Plan;
  readonly #accent = createSheet(':host{}');
  readonly #values = new Map<string, unknown>();
  /** Arrays and objects that were set as properties: frameworks expect to read back the same object. */
  readonly #rich = new Map<string, object>();
  #mounted = false;

  constructor(plan: Plan) {
    super();
    this.#plan = plan;
    if (this.shadowRoot !== null) this.shadowRoot.adoptedStyleSheets = [...plan.sheets, this.#accent];
  }

  /**
   * r2wc would empty a declarative shadow root, and throw on one that a loader created. The existing content stays until the page
   * is rendered.
   */
  override attachShadow(init: ShadowRootInit): ShadowRoot {
    return this.shadowRoot ?? super.attachShadow(init);
  }

  override connectedCallback(): void {
    this.#adoptEarlyProperties();
    if (__EMBEDDED__) embedding?.attend(this, this.#plan.slotted);
    if (__EMBEDDED__ && !this.#mounted && embedding?.waits(this, () => this.#mount(startTransition))) return;
    this.#mount();
  }

  /**
   * Unmounts in a microtask. r2wc unmounts immediately, so an element that is moved would lose its state; a moved element (also
   * by `moveBefore`) is connected again when the microtask runs.
   */
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

  /** Defines the properties in `plan`. Plain values are stored in their attribute, objects in the element. */
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

  /** Reflects a property to its attribute, from which the page and the loader read it. */
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

  /**
   * Reapplies properties that were set before the upgrade: such a property is an own property of the element and hides the
   * accessor of the class.
   */
  #adoptEarlyProperties(): void {
    for (const name of [...Object.keys(this.#plan.kinds), ...PROPERTIES]) {
      if (!Object.hasOwn(this, name)) continue;
      const early: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, early);
    }
  }

  /**
   * Renders synchronously, as frameworks expect of an element that they have just connected; r2wc alone renders in a later task.
   * Within a commit of our own React, flushSync waits for its end. A tag that had to wait is not urgent: it is rendered in a
   * transition, in slices, so that the site stays responsive.
   */
  #mount(render: (then: () => void) => void = flushSync): void {
    // React clears an element that it renders into, but not a shadow root: the server-rendered nodes would stay next to the page.
    // The content that a loader shows is removed when the page has its content.
    if (!this.#mounted) for (const former of served(this.shadowRoot)) former.remove();
    if (__EMBEDDED__) embedding?.attend(this, this.#plan.slotted);
    render(() => {
      this.given = this.#collect();
      super.connectedCallback();
      keepQuiet(this, this.given.failed);
    });
    this.#mounted = true;
  }

  /** r2wc considers itself connected from the start: an update before the mount would render too early. */
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

  /**
   * Sets the brand colour. A site's own CSS rule for the tag has precedence over it, and the tag's style attribute is not
   * changed.
   */
  #paint(color: string | null): void {
    const known = color === null || CSS.supports('color', color);
    if (__EMBEDDED__ && !known)
      this.#tell('changer-attribute-refused', { attribute: 'accent', value: color, expected: 'a CSS colour' });
    const [rule] = this.#accent.cssRules;
    if (!(rule instanceof CSSStyleRule)) return;
    rule.style.cssText = '';
    if (color === null || !known) return;
    rule.style.setProperty('--changer-brand', color);
    // Few tags have an accent, so the code that makes any colour readable is loaded only for those.
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
