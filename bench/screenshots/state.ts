import type { Frame, Page } from 'playwright-core';

/** Where a state is reached: a page of the app, alone or held by Telegram's client. */
export interface Stage {
  readonly page: Page;
  readonly origin: string;
  /** The origin of a page of another site, which holds the tag that its path names. */
  readonly foreign: string;
  /** What holds the app: the page itself, or Telegram's frame in it. */
  readonly app: Page | Frame;
  /** Opens an address of the app, or loads it anew, and waits until `selector` is seen. */
  open(path: string, selector: string): Promise<void>;
  /** Waits until it is seen. What was waited for last is what makes the state, and must still be seen when a picture is taken. */
  see(selector: string): Promise<void>;
  /** Whether what makes the state is still seen. */
  stands(): Promise<boolean>;
  /** From the next opening on, the operator is signed in, or somebody new. */
  signIn(who: 'operator' | 'reader'): Promise<void>;
  click(selector: string, at?: number): Promise<void>;
  press(...keys: readonly string[]): Promise<void>;
  /** Answers, in the server's place, what is asked at paths of this kind; the latest that fits is asked. */
  answer(path: RegExp, answer: Answer): Promise<void>;
  /** Changes the JSON that the server answers there, whatever is asked or to that method alone. */
  change(path: RegExp, change: (body: Body) => unknown, method?: 'PUT'): Promise<void>;
}

/** An answer of our own server, of which a state changes a part. */
export interface Body {
  readonly [name: string]: unknown;
  readonly items: readonly Readonly<Record<string, unknown>>[];
}
/** JSON; `never` leaves the request waiting, `down` ends it as without a network. */
export type Answer = 'never' | 'down' | { readonly status?: number; readonly body: unknown };

/** What a state has answered in the server's place. */
export type Stub = readonly [path: RegExp, answer: Answer];

/** A page in a state, reached as a reader would. */
export interface State {
  /** The page, a hyphen, the state. */
  readonly name: string;
  reach(stage: Stage): Promise<void>;
  /** It is placed at what was pressed, and so reached anew at each width. */
  readonly anchored?: boolean;
  /** It goes by itself, and so is reached anew for each picture. */
  readonly brief?: boolean;
  /** It stops the clock, which is that of all pages of a context. */
  readonly stopsClock?: boolean;
  /** Taken so high, in px, where it is more than a window shows. */
  readonly height?: number;
  /** Not inside Telegram, where there is no such thing. */
  readonly browserOnly?: boolean;
  /** With a service worker, which would answer in place of what other states have answered. */
  readonly worker?: boolean;
  /** It stands on skeletons, or on pictures that never come. */
  readonly unfinished?: boolean;
}
