/*
 * Custom element registration: the public HTML API, one custom element per page. Only this file calls r2wc and
 * customElements.define.
 *
 * r2wc 2.1 mounts, updates and unmounts the React tree; we use no other feature of it. It receives one property,
 * `pageInput`, with all that a page needs. Attributes and properties are our own code, because those of r2wc parse
 * `flag=""` as false, do not render again for `text=""`, keep the value of a removed attribute, lose a property that
 * was set before the upgrade, and throw on malformed values.
 */
import r2wc from '@r2wc/react-to-web-component';
import { type ComponentType, startTransition } from 'react';
import { flushSync } from 'react-dom';
import base from '../src/components/styles/base.css';
import tokens from '../src/components/styles/tokens.css';
import { type PageInput, PageRoot } from '../src/context/PageRoot.tsx';
import type { AppServices } from '../src/context/services.ts';
import {
  attributeNames,
  readAttribute,
  readObjectValue,
  readSpelledAttribute,
  toKebabCase,
  writeAttribute,
} from './attributes.ts';
import { COMMON_ATTRIBUTES } from './common-attributes.ts';
import type { AttributeKinds, ElementDefinition, ElementPlan, EmbedHooks } from './element-types.ts';
import { servedChildren } from './embed/prerender.ts';
import { silenceReactErrors } from './silence-react.ts';

let embedHooks: EmbedHooks | null = null;

/** Build constant: true if tags are on third-party pages. The app's own bundle omits the code that depends on it. */
declare const __EMBEDDED__: boolean;

/** Build constant: true if tags are delivered without a loader, in one script or in a site's bundle. */
declare const __SELF_CONTAINED__: boolean;

/** Sets the hooks for tags on third-party pages, whose services the app does not set. */
export function setEmbedHooks(hooks: EmbedHooks): void {
  embedHooks = hooks;
}

/** Build constant: the package's version. */
declare const __VERSION__: string;

/**
 * Registers a tag for a page. A second call, also from another copy of this file, is harmless: the first definition
 * remains.
 */
export function define<Props extends object>(
  tag: string,
  Page: ComponentType<Props>,
  definition: ElementDefinition<Props>,
): void {
  const existing = customElements.get(tag);
  if (existing !== undefined) {
    if (__EMBEDDED__) embedHooks?.onVersionConflict(tag, existing, __VERSION__);
    return;
  }
  const pageAttributes: AttributeKinds = { ...definition.attributes };
  const sheets = [tokens, base, ...definition.styles];
  const plan: ElementPlan = {
    // PageRoot spreads the props that `attributes` names. Like any JSX, a page does not check them at run time.
    Page: Page as ComponentType<object>,
    pageAttributes: Object.keys(pageAttributes),
    kinds: { ...COMMON_ATTRIBUTES, ...pageAttributes },
    sheets: ((__EMBEDDED__ && embedHooks?.adaptStyles(sheets)) || sheets).map(createSheet),
    slotted: definition.slotted ?? false,
  };
  class Tag extends PageElement {
    static readonly version = __VERSION__;
    static readonly observedAttributes = [...new Set(Object.keys(plan.kinds).flatMap(attributeNames))];
    constructor() {
      super(plan);
    }
  }
  if (__SELF_CONTAINED__) embedHooks?.beforeDefine?.(tag);
  PageElement.addProperties(Tag.prototype, plan);
  customElements.define(tag, Tag);
}

/** Properties that every HTML element has already. */
const NATIVE_PROPERTIES = ['lang', 'dir'];
/** Properties without an attribute, because their values are objects. */
const OBJECT_PROPERTIES = ['services', 'params'];

/** The element class that r2wc creates. */
interface R2wcElement extends HTMLElement {
  pageInput: PageInput;
  connectedCallback(): void;
  disconnectedCallback(): void;
}

// r2wc stores a property without a type as it is, and renders again when it changes; its type declarations do not allow
// that.
const R2wcBase = r2wc(PageRoot, { shadow: 'open', props: { pageInput: undefined } as never }) as unknown as new () => R2wcElement;

class PageElement extends R2wcBase {
  readonly #plan: ElementPlan;
  readonly #accent = createSheet(':host{}');
  readonly #values = new Map<string, unknown>();
  /** Arrays and objects that were set as properties: frameworks expect to read back the same object. */
  readonly #objectValues = new Map<string, object>();
  #mounted = false;

  constructor(plan: ElementPlan) {
    super();
    this.#plan = plan;
    if (this.shadowRoot !== null) this.shadowRoot.adoptedStyleSheets = [...plan.sheets, this.#accent];
  }

  /**
   * r2wc would empty a declarative shadow root, and throw on one that a loader created. The existing content stays
   * until the page is rendered.
   */
  override attachShadow(init: ShadowRootInit): ShadowRoot {
    return this.shadowRoot ?? super.attachShadow(init);
  }

  override connectedCallback(): void {
    this.#adoptEarlyProperties();
    if (__EMBEDDED__) embedHooks?.attach(this, this.#plan.slotted);
    if (__EMBEDDED__ && !this.#mounted && embedHooks?.deferMount(this, () => this.#mount(startTransition))) return;
    this.#mount();
  }

  /**
   * Unmounts in a microtask. r2wc unmounts immediately, so an element that is moved would lose its state; a moved
   * element (also by `moveBefore`) is connected again when the microtask runs.
   */
  override disconnectedCallback(): void {
    queueMicrotask(() => {
      if (this.isConnected) return;
      if (__EMBEDDED__) embedHooks?.detach(this);
      if (this.#mounted) super.disconnectedCallback();
      this.#mounted = false;
    });
  }

  attributeChangedCallback(attribute: string): void {
    const entry = Object.entries(this.#plan.kinds).find(([name]) => attributeNames(name).includes(attribute));
    if (entry === undefined) return;
    const [name, kind] = entry;
    const raw = readSpelledAttribute(this, name);
    const reading = readAttribute(kind, raw);
    this.#objectValues.delete(name);
    if (__EMBEDDED__ && reading.type === 'refused')
      this.#emit('changer-attribute-refused', { attribute, value: raw, expected: reading.expected });
    this.#values.set(name, reading.type === 'value' ? reading.value : undefined);
    if (name === 'accent') this.#applyAccent(raw);
    this.#update();
    if (__EMBEDDED__ && this.#mounted && this.#plan.pageAttributes.includes(name)) embedHooks?.reset(this);
  }

  /** Defines the properties in `plan`. Plain values are stored in their attribute, objects in the element. */
  static addProperties(prototype: PageElement, plan: ElementPlan): void {
    const attributeProperties = Object.keys(plan.kinds).filter((name) => !NATIVE_PROPERTIES.includes(name));
    for (const name of [...attributeProperties, ...OBJECT_PROPERTIES]) {
      Object.defineProperty(prototype, name, {
        configurable: true,
        enumerable: true,
        get(this: PageElement) {
          return this.#objectValues.get(name) ?? this.#values.get(name);
        },
        set(this: PageElement, value: unknown) {
          if (!OBJECT_PROPERTIES.includes(name)) return this.#reflect(name, value);
          this.#values.set(name, value);
          this.#update();
        },
      });
    }
  }

  /** Reflects a property to its attribute, from which the page and the loader read it. */
  #reflect(name: string, value: unknown): void {
    const attribute = toKebabCase(name);
    const isObject = typeof value === 'object' && value !== null;
    const reading = isObject ? readObjectValue(this.#plan.kinds[name] ?? 'text', value) : null;
    writeAttribute(this, attribute, reading?.type === 'value' ? reading.value : value);
    if (isObject) this.#objectValues.set(name, value);
    else this.#objectValues.delete(name);
    if (__EMBEDDED__ && reading?.type === 'refused')
      this.#emit('changer-attribute-refused', {
        attribute,
        value: Object.prototype.toString.call(value),
        expected: reading.expected,
      });
  }

  /**
   * Reapplies properties that were set before the upgrade: such a property is an own property of the element and hides
   * the accessor of the class.
   */
  #adoptEarlyProperties(): void {
    for (const name of [...Object.keys(this.#plan.kinds), ...OBJECT_PROPERTIES]) {
      if (!Object.hasOwn(this, name)) continue;
      const earlyValue: unknown = Reflect.get(this, name);
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, earlyValue);
    }
  }

  /**
   * Renders synchronously, as frameworks expect of an element that they have just connected; r2wc alone renders in a
   * later task. During a commit of our own React, flushSync waits for the end of that commit. A deferred tag is not
   * urgent: it is rendered in a transition, in slices, so that the site stays responsive.
   */
  #mount(render: (update: () => void) => void = flushSync): void {
    // React clears an element that it renders into, but not a shadow root: the server-rendered nodes would stay next to
    // the page. The content that a loader shows is removed when the page has its content.
    if (!this.#mounted) for (const child of servedChildren(this.shadowRoot)) child.remove();
    if (__EMBEDDED__) embedHooks?.attach(this, this.#plan.slotted);
    render(() => {
      this.pageInput = this.#collect();
      super.connectedCallback();
      silenceReactErrors(this, this.pageInput.onError);
    });
    this.#mounted = true;
  }

  /**
   * Renders again, if mounted. r2wc considers itself connected from the start, so an earlier update would render too
   * early.
   */
  #update(): void {
    if (this.#mounted) this.pageInput = this.#collect();
  }

  /** Collects the inputs of the page from the properties and attributes. */
  #collect(): PageInput {
    const { pageAttributes, Page } = this.#plan;
    const readValue = <Value>(name: string) => this.#values.get(name) as Value | undefined;
    const props = [...pageAttributes, 'params']
      .filter((name) => readValue(name) !== undefined)
      .map((name) => [name, readValue(name)]);
    return {
      Page,
      props: Object.fromEntries(props),
      services: readValue<AppServices>('services') ?? servicesFor(readValue<string>('api'), readValue<string>('grant')),
      lang: readValue<string>('lang') ?? this.closest('[lang]')?.getAttribute('lang') ?? undefined,
      dir: readValue<PageInput['dir']>('dir'),
      ...(__EMBEDDED__ && { contentStatus: embedHooks?.contentStatus(this) }),
      onError: (error) => this.#emit('changer-failed', { message: error instanceof Error ? error.message : String(error) }),
    };
  }

  /**
   * Sets the brand colour. A site's own CSS rule for the tag has precedence over it, and the tag's style attribute is
   * not changed.
   */
  #applyAccent(color: string | null): void {
    const isValid = color === null || CSS.supports('color', color);
    if (__EMBEDDED__ && !isValid)
      this.#emit('changer-attribute-refused', { attribute: 'accent', value: color, expected: 'a CSS colour' });
    const [rule] = this.#accent.cssRules;
    if (!(rule instanceof CSSStyleRule)) return;
    rule.style.cssText = '';
    if (color === null || !isValid) return;
    rule.style.setProperty('--changer-brand', color);
    // Few tags have an accent, so the code that makes any colour readable is loaded only for those.
    import('../src/theme/brand-accent.ts').then(
      ({ applyBrandColor }) => {
        if (this.getAttribute('accent') === color) applyBrandColor(rule.style, color, this.shadowRoot);
      },
      () => {},
    );
  }

  #emit(type: string, detail: object): void {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }
}

function servicesFor(api: string | undefined, grant: string | undefined): AppServices {
  if (__EMBEDDED__ && embedHooks !== null) return embedHooks.services(api, grant);
  throw new Error('This tag has no services');
}

function createSheet(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}
