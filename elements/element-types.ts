/* Types of the custom elements: their script interface, their definition, and the functions for third-party pages. */
import type { ComponentType } from 'react';
import type { ContentStatus } from '../src/components/content-status.ts';
import type { AppServices } from '../src/context/services.ts';
import type { AttributeKind } from './attributes.ts';

/** Script interface that all tags share. */
export interface ChangerElement extends HTMLElement {
  /** Services of the page. The app sets them; a third-party page does not. */
  services: AppServices | undefined;
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
  /** When the tag loads its code; `interaction` is the default. Only tags with a loader have it. */
  hydrate: 'load' | 'idle' | 'visible' | 'interaction' | undefined;
}

export interface ElementDefinition<Props> {
  /** The page's style sheets. They are applied after the tokens and the base styles. */
  readonly styles: readonly string[];
  /** The page's properties that have an attribute; the attribute's name is in kebab case. */
  readonly attributes?: { readonly [Name in keyof Props & string]?: AttributeKind };
  /** The page itself shows the tag's children; they are not fallback content. */
  readonly slotted?: true;
}

/**
 * Hooks for tags on third-party pages (elements/embed/embed-services.ts). The app sets the services of its tags itself,
 * and never loads these hooks.
 */
export interface EmbedHooks {
  /** Returns the services for a tag on a third-party page, by its `api` and `grant` attributes. */
  services(api: string | undefined, grant: string | undefined): AppServices;
  /** Adapts a tag's style sheets to the page. */
  adaptStyles(sheets: readonly string[]): readonly string[];
  /** Called when a tag is connected, or when its root was emptied for its page. `slotted` is as in its definition. */
  attach(tag: HTMLElement, slotted: boolean): void;
  /** Returns the receiver of the state of a tag's content; undefined for a tag without fallback content. */
  contentStatus(tag: HTMLElement): ContentStatus | undefined;
  /** Returns whether a tag must not mount yet. If so, `mount` is called later. */
  deferMount(tag: HTMLElement, mount: () => void): boolean;
  /** Called when a tag's attributes select other content. */
  reset(tag: HTMLElement): void;
  /** Called when a tag is removed. */
  detach(tag: HTMLElement): void;
  /** Called before the definition of a tag whose script has no loader. */
  beforeDefine?: (tag: string) => void;
  /** Called if another script has defined the tag before this one. */
  onVersionConflict(tag: string, existing: CustomElementConstructor, version: string): void;
}

export type AttributeKinds = Readonly<Record<string, AttributeKind>>;

/** Inputs of the class of a tag: its page, attributes and style sheets. */
export interface ElementPlan {
  readonly Page: ComponentType<object>;
  /** The attributes that are passed to the page. */
  readonly pageAttributes: readonly string[];
  readonly kinds: AttributeKinds;
  readonly sheets: readonly CSSStyleSheet[];
  readonly slotted: boolean;
}
