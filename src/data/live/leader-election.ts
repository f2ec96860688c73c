import type { Inside } from '../context.ts';

/** What the tabs of one reader tell each other. */
export type Word =
  /** An event's id and its data, as they came; `to` one tab where it was told to the others before. */
  | { readonly type: 'heard'; readonly id: string | null; readonly data: string | null; readonly to?: string }
  /** A tab is seen. It has heard what came until `since` (unix ms), and wants to hear the rest. */
  | { readonly type: 'here'; readonly tab: string; readonly since: number }
  /** Who leads asks whether a tab is seen. */
  | { readonly type: 'anyone' }
  /** Streams do not come through here. */
  | { readonly type: 'useless' };

/** An event, as one tab tells it. */
export type Told = Extract<Word, { type: 'heard' }>;
/** That a tab is seen. */
export type Here = Extract<Word, { type: 'here' }>;

export interface TabsOptions {
  /** One for each reader and server. */
  readonly name: string;
  /** Another tab's word. */
  hear(word: Word): void;
  /** This tab leads from now on, until the signal. */
  lead(signal: AbortSignal): void;
  readonly signal: AbortSignal;
}

export interface Tabs {
  tell(word: Word): void;
  /** Takes the lead from a tab that sleeps. */
  takeOver(): void;
}

/** Lets one tab lead, the next when it closes. Where tabs cannot find each other, each leads itself. */
export function createTabs({ name, hear, lead, signal }: TabsOptions): Tabs {
  const channel = openChannel(name);
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (channel === null || locks === undefined) {
    lead(signal);
    return { tell() {}, takeOver() {} };
  }
  channel.onmessage = ({ data }) => {
    // Sound: the name is ours, and tabs of one origin run one version, or one that says the same.
    hear(data as Word);
  };
  signal.addEventListener('abort', () => channel.close());

  let ended = (): void => {};
  function hold(): Promise<void> {
    const own = new AbortController();
    ended = () => own.abort();
    lead(own.signal);
    return new Promise<void>((done) => {
      signal.addEventListener('abort', () => done(ended()), { once: true });
    });
  }
  /** Rejects when the lock is taken away, or when this tab ends while it waits. */
  async function queue(options: LockOptions): Promise<void> {
    try {
      await locks?.request(name, options, hold);
    } catch {
      ended();
      if (!signal.aborted) void queue({ signal });
    }
  }
  void queue({ signal });
  return {
    tell: (word) => !signal.aborted && channel.postMessage(word),
    takeOver: () => void queue({ steal: true }),
  };
}

/** Keeps a reader's tabs alike: what one wrote to the device, the others read. */
export function shareState({ state, link, reread }: Inside): void {
  const channel = openChannel('changer-state');
  if (channel === null) return;
  channel.onmessage = () => void reread();
  const stop = state.written.subscribe(() => channel.postMessage(null));
  link.signal.addEventListener('abort', () => {
    stop();
    channel.close();
  });
}

function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}
