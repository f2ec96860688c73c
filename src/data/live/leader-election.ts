// Leader election between tabs: a Web Lock selects the tab that holds the event stream; a BroadcastChannel connects the tabs.

import type { DataContext } from '../context.ts';

/** Message between the tabs of one reader. */
export type TabMessage =
  /** An event with its id and data, as received. `to` names a single tab, where the other tabs received the event before. */
  | { readonly type: 'heard'; readonly id: string | null; readonly data: string | null; readonly to?: string }
  /** A tab is visible. It has received all events until `since` (unix ms), and requests the later ones. */
  | { readonly type: 'here'; readonly tab: string; readonly since: number }
  /** The leader asks if any tab is visible. */
  | { readonly type: 'anyone' }
  /** Event streams do not work on this network. */
  | { readonly type: 'useless' };

/** Message with an event. */
export type EventMessage = Extract<TabMessage, { type: 'heard' }>;
/** Message of a visible tab. */
export type PresenceMessage = Extract<TabMessage, { type: 'here' }>;

export interface LeaderElectionOptions {
  /** Name of the lock and the channel: one for each reader and server. */
  readonly name: string;
  /** Handles a message of another tab. */
  onMessage(word: TabMessage): void;
  /** Called when this tab becomes the leader. It leads until the signal aborts. */
  onElected(signal: AbortSignal): void;
  readonly signal: AbortSignal;
}

export interface LeaderElection {
  broadcast(word: TabMessage): void;
  /** Takes the leadership from a tab that is suspended. */
  takeOver(): void;
}

/**
 * Elects one tab as the leader; the next one takes over when it closes. Where tabs cannot communicate (no BroadcastChannel or
 * no Web Locks), each tab leads itself.
 */
export function createLeaderElection({ name, onMessage: hear, onElected: lead, signal }: LeaderElectionOptions): LeaderElection {
  const channel = openChannel(name);
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (channel === null || locks === undefined) {
    lead(signal);
    return { broadcast() {}, takeOver() {} };
  }
  channel.onmessage = ({ data }) => {
    // Sound: only our code uses this name, and the tabs of one origin run one version, or versions with the same messages.
    hear(data as TabMessage);
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
  /** Waits for the lock. The request rejects when another tab steals the lock, or when this tab closes while it waits. */
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
    broadcast: (word) => !signal.aborted && channel.postMessage(word),
    takeOver: () => void queue({ steal: true }),
  };
}

/** Synchronizes the state between a reader's tabs: after a tab wrote to the device, the other tabs read it. */
export function shareUserState({ userState: state, connection: link, reloadFromStorage: reread }: DataContext): void {
  const channel = openChannel('changer-state');
  if (channel === null) return;
  channel.onmessage = () => void reread();
  const stop = state.writeCount.subscribe(() => channel.postMessage(null));
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
