/*
 * Live updates: follows the server's events for a data layer. One tab of a reader holds the stream, forwards the events to
 * the other tabs, and applies them to the data on the device. Each tab applies them to what it shows. A separate chunk,
 * loaded after the first posts are rendered.
 */
import { type Happening, happening } from '../../../contract/events.ts';
import type { EventsOptions } from '../../api/event-stream.ts';
import type { Client } from '../../api/types.ts';
import type { ChannelsArea } from '../clients/account-client.ts';
import type { NewPostsView } from '../context.ts';
import { createLiveKept } from './apply-to-offline.ts';
import { createEffects } from './apply-to-queries.ts';
import { createTabs, shareState } from './leader-election.ts';
import { createLiveLists } from './new-posts.ts';
import { hear, lead } from './tab-leader.ts';
import { createLiveTab } from './tab-state.ts';
import { watchTabs } from './tab-visibility.ts';

export interface LiveOptions extends EventsOptions {
  /** HTTP client. Its cached responses are outdated after an event. */
  readonly client: Pick<Client, 'forget'>;
  /** Time when the page began to load data, unix ms. Its first responses are not older. */
  readonly at: number;
  /** Component that reports waiting posts. */
  readonly View: NewPostsView;
}

/** Maximum wait for a list, ms: a page without a list never shows waiting posts. */
const NEW_POSTS_VIEW_TIMEOUT_MS = 2000;

/** Starts to follow events. Pauses while the page is in the back/forward cache, and ends when the data layer closes. */
export function goLive(area: ChannelsArea, options: LiveOptions): void {
  const { inside } = area;
  const lists = createLiveLists(inside);
  const apply = createEffects(area, lists);
  let current: AbortController | null = null;
  const end = () => current?.abort();
  const begin = () => {
    end();
    if (inside.link.isClosed()) return;
    current = new AbortController();
    followAs(area, options, apply, current.signal);
  };
  const { signal } = inside.link;
  signal.addEventListener('abort', end);
  // A different identity receives a different stream.
  let who = nameOf(area);
  area.reader.subscribe(() => {
    if (who === nameOf(area)) return;
    who = nameOf(area);
    begin();
  });
  // A page with an open stream or lock cannot enter the back/forward cache.
  window.addEventListener('pagehide', end, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && begin(), { signal });
  inside.fresh.set({ ...lists, View: options.View });
  shareState(inside);
  const keep = ({ keepUp, comeBack }: typeof import('../background/maintenance.ts')) => {
    comeBack(area);
    keepUp(area, signal);
  };
  void import('../background/maintenance.ts').then(keep, () => {}); // If loading fails, the next visit runs it.
  // Until a list can hold new posts back, an event would move the posts that are being read.
  const patience = new Promise((resolve) => setTimeout(resolve, NEW_POSTS_VIEW_TIMEOUT_MS));
  void Promise.race([lists.read, patience]).then(begin);
}

const nameOf = ({ reader }: ChannelsArea): string => {
  const who = reader.get();
  return who.type === 'signed-in' ? who.user.id : 'anyone';
};

/** Follows events with the reader's current identity. */
function followAs(area: ChannelsArea, options: LiveOptions, apply: (happening: Happening) => void, signal: AbortSignal): void {
  const { inside, reader } = area;
  const { client } = options;
  const effect = (data: string | null) => {
    const happened = take(data);
    if (happened === null || signal.aborted) return null;
    client.forget();
    apply(happened);
    return happened;
  };
  const kept = createLiveKept(inside.device, Date.now, reader.get().type !== 'expected');
  const tab = createLiveTab({ effect, tell: (word) => tabs.tell(word) }, options.at);
  const tabs = createTabs({
    name: `changer-live ${options.baseUrl} ${nameOf(area)}`,
    hear: (word) => hear(tab, word),
    lead: (leading) => lead(tab, inside, kept, options, leading),
    signal,
  });
  const refresh = () => {
    client.forget();
    void area.refresh();
  };
  watchTabs(tab, tabs, refresh, signal);
}

function take(data: string | null): Happening | null {
  if (data === null) return null;
  try {
    return happening(JSON.parse(data), 'event');
  } catch {
    // The event is from a newer server, or truncated. The next fetch shows the change.
    return null;
  }
}
