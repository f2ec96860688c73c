/*
 * Follows the server's events for a data area: one tab of a reader keeps the stream, tells the others, and does to what the
 * device keeps what happened; each tab does it to what it shows. A chunk of its own: it loads when the first posts stand.
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
  /** Its held answers are from before what happens. */
  readonly client: Pick<Client, 'forget'>;
  /** When the page began to read, unix ms: its first answers are not from before. */
  readonly at: number;
  /** What says that posts wait. */
  readonly View: NewPostsView;
}

/** A page that shows no list never says what waits, ms. */
const PATIENCE = 2000;

/** Follows events from now until the area closes, or for as long as the page is not put away. */
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
  // Another token hears other things.
  let who = nameOf(area);
  area.reader.subscribe(() => {
    if (who === nameOf(area)) return;
    who = nameOf(area);
    begin();
  });
  // A page with an open stream or lock cannot be put away and taken up again.
  window.addEventListener('pagehide', end, { signal });
  window.addEventListener('pageshow', ({ persisted }) => persisted && begin(), { signal });
  inside.fresh.set({ ...lists, View: options.View });
  shareState(inside);
  const keep = ({ keepUp, comeBack }: typeof import('../background/maintenance.ts')) => {
    comeBack(area);
    keepUp(area, signal);
  };
  void import('../background/maintenance.ts').then(keep, () => {}); // The next visit does it.
  // Before a page can say what waits, what comes would move what is read.
  const patience = new Promise((resolve) => setTimeout(resolve, PATIENCE));
  void Promise.race([lists.read, patience]).then(begin);
}

const nameOf = ({ reader }: ChannelsArea): string => {
  const who = reader.get();
  return who.type === 'signed-in' ? who.user.id : 'anyone';
};

/** Follows events as who the reader is now. */
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
    // Of a newer server, or torn: the next reading shows it.
    return null;
  }
}
