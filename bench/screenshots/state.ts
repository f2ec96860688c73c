import type { Frame, Page } from 'playwright-core';

/** Stage of a screenshot: a page of the app, alone or inside Telegram's client. */
export interface Stage {
  readonly page: Page;
  readonly origin: string;
  /** Origin of another site whose pages contain the tag that their path names. */
  readonly thirdPartyOrigin: string;
  /** Document that contains the app: the page itself, or Telegram's frame in it. */
  readonly app: Page | Frame;
  /** Opens or reloads a path of the app, and waits until `selector` is visible. */
  open(path: string, selector: string): Promise<void>;
  /**
   * Waits until an element is visible. The last such element defines the state, and must still be visible when the
   * picture is taken.
   */
  waitFor(selector: string): Promise<void>;
  /** Returns true if the element that defines the state is still visible. */
  isInState(): Promise<boolean>;
  /** Signs in the operator or a new reader for all later calls of `open`. */
  signIn(role: 'operator' | 'reader'): Promise<void>;
  /** Clicks the element of this index (0 if absent) among those that match. */
  click(selector: string, index?: number): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** Replaces the server's response to requests of matching paths. The latest match is used. */
  stubResponse(path: RegExp, response: StubResponse): Promise<void>;
  /** Modifies the JSON of the server's response to requests of matching paths, for all methods or only for one. */
  modifyResponse(path: RegExp, change: (body: Body) => unknown, method?: 'PUT'): Promise<void>;
}

/** Response of our own server, of which a state changes a part. */
export interface Body {
  readonly [name: string]: unknown;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}
/**
 * Replacement for a response: JSON; `never` leaves the request pending; `down` aborts it as if there was no network.
 */
export type StubResponse = 'never' | 'down' | { readonly status?: number; readonly body: unknown };

/** Replaced response of a state. */
export type Stub = readonly [path: RegExp, response: StubResponse];

/** Page in a state, reached as a reader would. */
export interface State {
  /** The page, a hyphen, the state. */
  readonly name: string;
  reach(stage: Stage): Promise<void>;
  /** True if it is positioned at the element that was pressed. It is reached again at each width. */
  readonly anchored?: boolean;
  /** True if it disappears on its own. It is reached again for each picture. */
  readonly brief?: boolean;
  /** True if it stops the clock, which all pages of a context share. */
  readonly stopsClock?: boolean;
  /** Height of the picture in px, if the content is higher than a window. */
  readonly height?: number;
  /** True if it does not exist inside Telegram. */
  readonly browserOnly?: boolean;
  /** True to allow a service worker. In other states it would respond instead of the replaced responses. */
  readonly worker?: boolean;
  /** True if it contains skeletons or pictures that never load. */
  readonly unfinished?: boolean;
}
