// Renderer interface: requests and results of server-side rendering.

import type { PrerenderedTag } from '../../../contract/prerender.ts';

/** The API's response to an anonymous request. */
export interface FetchApiResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Requests the API anonymously. */
export type FetchApi = (path: string, params: Readonly<Record<string, string | number | undefined>>) => Promise<FetchApiResponse>;

/** Common inputs of a rendering. */
export interface RenderOptions {
  /** The reader's languages (BCP 47), in order of preference. */
  readonly languages: readonly string[];
  readonly fetchApi: FetchApi;
}

/** A page to render. */
export interface RenderRequest extends RenderOptions {
  /** The address in the app, with its query: /main or /channel/{id}. */
  readonly path: string;
  readonly brandName: string;
  readonly botApp: string | null;
}

/** A custom element (tag) to render. */
export interface ElementRenderRequest extends RenderOptions {
  readonly tag: PrerenderedTag;
  /** The page's properties, parsed from the tag's attributes. */
  readonly props: object;
  /** The origin of its links. */
  readonly base: string;
}

/** A shadow root: its style sheet and its markup. */
export interface RenderedRoot {
  readonly styles: string;
  readonly html: string;
}

/** A rendering: its language and the responses that it used. */
interface RenderResult {
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  /** Template that combines a day {0} and a time {1}. */
  readonly dateTimeTemplate: string;
  /** API responses by hydration key (see `hydrationKey` in src/api), with which the app in the browser starts. */
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface RenderedPage extends RenderResult {
  readonly layout: RenderedRoot;
  readonly page: RenderedRoot;
  /** True if the page is of no use without scripts. A browser without scripts shows a notice instead. */
  readonly needsScripts: boolean;
}

export interface RenderedElement extends RenderResult {
  readonly root: RenderedRoot;
}

/** Exports of the built render.js; see render.tsx. */
export interface Renderer {
  /**
   * Renders a page as a first-time reader sees it. Returns null if it has no posts, or if `path` is not one of these
   * pages.
   */
  render(request: RenderRequest): Promise<RenderedPage | null>;
  /** Renders the content of a tag on a third-party page. Returns null if it has no posts. */
  renderElement(request: ElementRenderRequest): Promise<RenderedElement | null>;
  /** Returns the locale for a reader with these languages, with the region of the reader. */
  languageTagOf(languages: readonly string[]): string;
}
