/** The API's answer to anyone at a path. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export type Ask = (path: string, params: Readonly<Record<string, string | number | undefined>>) => Promise<Answer>;

export interface RenderRequest {
  /** The address in the app, with its query: /main or /channel/{id}. */
  readonly path: string;
  /** The reader's languages (BCP 47), the dearest first. */
  readonly languages: readonly string[];
  readonly brandName: string;
  readonly botApp: string | null;
  readonly ask: Ask;
}

/** A shadow root: its style sheet and its markup. */
export interface Root {
  readonly styles: string;
  readonly html: string;
}

export interface Rendered {
  readonly locale: string;
  readonly dir: 'ltr' | 'rtl';
  /** How a day {0} and a time {1} are said together. */
  readonly when: string;
  readonly layout: Root;
  readonly page: Root;
  /** What was asked and answered, by the names that the app's client gives its requests. */
  readonly answers: Readonly<Record<string, unknown>>;
}

/** What the built render.js gives; see render.tsx. */
export interface Renderer {
  /** Draws a page as a first-time reader sees it; null where it has no posts to show, or is not one of these pages. */
  render(request: RenderRequest): Promise<Rendered | null>;
  /** The language that a reader of these languages is spoken to, as it is spoken where the reader lives. */
  tagOf(languages: readonly string[]): string;
}
