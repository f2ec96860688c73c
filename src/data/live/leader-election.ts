// Leader election between tabs: a Web Lock selects the tab that holds the event stream; a BroadcastChannel connects the
// tabs.

import { property } from '../../lib/property.ts';
import type { DataContext } from '../context.ts';

/** Message between the tabs of one reader. */
export type TabMessage =
  /** An event with its id and data, as received. `to` names a single tab, if the other tabs received the event before. */
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
  onMessage(message: TabMessage): void;
  /** Called when this tab becomes the leader. It remains the leader until the signal aborts. */
  onElected(signal: AbortSignal): void;
  readonly signal: AbortSignal;
}

export interface LeaderElection {
  broadcast(message: TabMessage): void;
  /** Takes the leadership from a tab that is suspended. */
  takeOver(): void;
}

/**
 * Elects one tab as the leader; the next one takes over when it closes. Where tabs cannot communicate (no BroadcastChannel or
 * no Web Locks), each tab is its own leader.
 */
export function createLeaderElection({ name, onMessage, onElected, signal }: LeaderElectionOptions): LeaderElection {
  const channel = openChannel(name);
  const locks: LockManager | undefined = globalThis.navigator?.locks;
  if (channel === null || locks === undefined) {
    onElected(signal);
    return { broadcast() {}, takeOver() {} };
  }
  channel.onmessage = ({ data }) => {
    // The cast is safe: only our code uses this name, and all tabs of one origin run versions with the same messages.
    onMessage(data as TabMessage);
  };
  signal.addEventListener('abort', () => channel.close());

  let endLeadership = (): void => {};
  function becomeLeader(): Promise<void> {
    const leadership = new AbortController();
    endLeadership = () => leadership.abort();
    onElected(leadership.signal);
    return new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(endLeadership()), { once: true });
    });
  }
  /**
   * Waits for the lock. The request rejects with an AbortError when another tab steals the lock, or when this tab closes while
   * it waits. With any other error, this tab has no locks, and leads itself.
   */
  async function requestLock(options: LockOptions): Promise<void> {
    try {
      await locks?.request(name, options, becomeLeader);
    } catch (thrown) {
      endLeadership();
      if (signal.aborted) return;
      if (property(thrown, 'name') === 'AbortError') void requestLock({ signal });
      else onElected(signal);
    }
  }
  void requestLock({ signal });
  return {
    broadcast: (message) => !signal.aborted && channel.postMessage(message),
    takeOver: () => void requestLock({ steal: true }),
  };
}

/** Synchronizes the state between a reader's tabs: after a tab wrote to the device, the other tabs read it. */
export function shareUserState({ userState, connection, reloadFromStorage }: DataContext): void {
  const channel = openChannel('changer-state');
  if (channel === null) return;
  channel.onmessage = () => void reloadFromStorage();
  const stop = userState.writeCount.subscribe(() => channel.postMessage(null));
  connection.signal.addEventListener('abort', () => {
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
