import type { DrawnTag } from '../../../contract/drawn.ts';

/** The API's answer to anyone at a path. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type Ask = (path: string, params: Readonly<Record<string, string | number | undefined>>) => Promise<Answer>;

/** What anything is drawn with. */
export interface Asked {
  /** The reader's languages (BCP 47), the dearest first. */
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
  /** The page's properties, as the tag's attributes give them. */
  readonly props: object;
  /** The origin that its links lead to. */
  readonly base: string;
}

/** A shadow root: its style sheet and its markup. */
export interface Root {
  readonly styles: string;
  readonly html: string;
}

/** What is drawn, in which language, and of what. */
interface Drawn {
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  /** How a day {0} and a time {1} are said together. */
  readonly when: string;
  /** What was asked and answered, by the names that the app's client gives its requests. */
  readonly answers: Readonly<Record<string, unknown>>;
}

export interface Rendered extends Drawn {
  readonly layout: Root;
  readonly page: Root;
}

export interface RenderedTag extends Drawn {
  readonly root: Root;
}

/** What the built render.js gives; see render.tsx. */
export interface Renderer {
  /** Draws a page as a first-time reader sees it; null where it has no posts to show, or is not one of these pages. */
  render(request: RenderRequest): Promise<Rendered | null>;
  /** Draws what a tag shows on a foreign page; null where that is no posts. */
  renderTag(request: TagRequest): Promise<RenderedTag | null>;
  /** The language that a reader of these languages is spoken to, as it is spoken where the reader lives. */
  tagOf(languages: readonly string[]): string;
}
