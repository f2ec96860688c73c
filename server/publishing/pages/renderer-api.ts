// Renderer interface: requests and results of server-side rendering.

import type { DrawnTag } from '../../../contract/drawn.ts';

/** The API's response to an anonymous request. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type Ask = (path: string, params: Readonly<Record<string, string | number | undefined>>) => Promise<Answer>;

/** Common inputs of a rendering. */
export interface Asked {
  /** The reader's languages (BCP 47), in order of preference. */
  readonly languages: readonly string[];
  readonly ask: Ask;
}

export interface RenderRequest extends Asked {
  /** The address in the app, with its query: /main or /channel/{id}. */
  readonly path: string;
  readonly brandName: string;
  readonly botApp: string | null;
}

export interface TagRequest extends Asked {
  readonly tag: DrawnTag;
  /** The page's properties, parsed from the tag's attributes. */
  readonly props: object;
  /** The origin of its links. */
  readonly base: string;
}

/** A shadow root: its style sheet and its markup. */
export interface Root {
  readonly styles: string;
  readonly html: string;
}

/** A rendering: its language and the responses that it used. */
interface Drawn {
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  /** Template that combines a day {0} and a time {1}. */
  readonly when: string;
  /** The responses of the API, by the keys that the app's client gives its requests. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface Rendered extends Drawn {
  readonly layout: Root;
  readonly page: Root;
}

export interface RenderedTag extends Drawn {
  readonly root: Root;
}

/** Exports of the built render.js; see render.tsx. */
export interface Renderer {
  /** Renders a page as a first-time reader sees it. Returns null if it has no posts to show, or is not one of these pages. */
  render(request: RenderRequest): Promise<Rendered | null>;
  /** Renders the content of a tag on a third-party page. Returns null if it has no posts. */
  renderTag(request: TagRequest): Promise<RenderedTag | null>;
  /** Returns the locale for a reader with these languages, with the region of the reader. */
  tagOf(languages: readonly string[]): string;
}
