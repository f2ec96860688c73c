/*
 * Follows the server's events for a data area: one tab of a reader keeps the stream, tells the others, and does to what the
 * device keeps what happened; each tab does it to what it shows. A chunk of its own: it loads when the first posts stand.
 */
import { type Happening, happening } from '../../contract/events.ts';
import type { Client } from '../api/client.ts';
import { type Block, type EventsOptions, type From, openEvents } from '../api/events.ts';
import type { ChannelsArea } from './create.ts';
import type { NewPostsView } from './inside.ts';
import { createEffects } from './live-effects.ts';
import { createLiveKept } from './live-kept.ts';
import { createLiveLists } from './live-lists.ts';
import { type Following, follow } from './live-stream.ts';
import { createTabs, type Word } from './live-tabs.ts';

export interface LiveOptions extends EventsOptions {
  /** Its held answers are from before what happens. */
  readonly client: Pick<Client, 'forget'>;
  /** What says that posts wait. */
  readonly View: NewPostsView;
}

/** Nobody has looked for so long: the stream is let go, and resumed when somebody does. */
const UNSEEN = 60_000;
/** Without a sign of life from the leading tab for so long it sleeps, and another takes its place. */
const LOST = 45_000;
/** A tab that is awake answers another sooner. */
const ANSWER = 3000;
const TICK = 15_000;
/** What the leading tab remembers for tabs that open. */
const REMEMBERED = 200;
/** How often the device notes where it stands while nothing happens. */
const NOTED = 60_000;

/** The server remembers no longer when things happened, ms. */
const LONGEST_AGO = 600_000;
const DIRECTORY = JSON.stringify(['directory']);
/** A page that shows no list never says what waits. */
const PATIENCE = 2000;

const isSeen = (): boolean => document.visibilityState === 'visible';

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
  const { link, device, api } = area.inside;
  const now = Date.now;
  /** When the page began to read: its first answers are not from before. */
  const since = now() - Math.min(performance.now(), LONGEST_AGO);
  const kept = createLiveKept(device, now, area.reader.get().type !== 'expected');
  const tab = String(Math.random());
  const recent: { readonly at: number; readonly word: Extract<Word, { type: 'heard' }> }[] = [];
  let place: string | null = null;
  let following: Following | null = null;
  let seenAt = now();
  let heardAt = now();
  /** Whether the stream comes through at all, here or to the tab that leads. */
  let works = false;
  let useless = false;

  function take(data: string | null): Happening | null {
    if (data === null) return null;
    try {
      return happening(JSON.parse(data), 'event');
    } catch {
      // Of a newer server, or torn: the next reading shows it.
      return null;
    }
  }
  function effect(data: string | null): Happening | null {
    const happened = take(data);
    if (happened === null || signal.aborted) return null;
    options.client.forget();
    apply(happened);
    return happened;
  }

  function lead(leading: AbortSignal): void {
    let work = Promise.resolve();
    let notedAt = 0;
    let due: Happening[] = [];
    const write = async () => {
      const [batch, id] = [due, place];
      due = [];
      await kept.follow(batch);
      if (id === null || leading.aborted || (batch.length === 0 && now() - notedAt < NOTED)) return;
      notedAt = now();
      await kept.note(id);
    };
    const heard = ({ id, data }: Block) => {
      const word = { type: 'heard', id, data } as const;
      tabs.tell(word);
      works = true;
      if (id !== null) place = id;
      const happened = effect(data);
      if (happened !== null) {
        due.push(happened);
        recent.push({ at: now(), word });
        recent.splice(0, recent.length - REMEMBERED);
      }
      work = work.then(write);
    };
    let cutAt: number | null = null;
    const open = async (own: AbortSignal) => {
      place ??= await kept.place();
      const from: From = place === null ? { ago: Math.min(now() - since, LONGEST_AGO) } : { after: place };
      if (cutAt === null || now() - cutAt > UNSEEN) void compare();
      cutAt = now();
      return link.call(() => openEvents(options, from, own));
    };
    /** What a reader may see may have changed while nobody listened. */
    const compare = async () => {
      const isFirst = cutAt === null;
      try {
        const { items } = await link.call((read) => api.channels(isFirst ? read : { ...read, fresh: true }));
        await kept.compare(items);
        if (!isFirst) await area.inside.things.all.get(DIRECTORY)?.thing.renew?.();
      } catch {
        // Another time.
      }
    };
    const isWanted = () => isSeen() || now() - seenAt < UNSEEN;
    const made = follow({ open, heard, isWanted, signal: leading });
    following = made;
    void made.useless.then((ended) => {
      if (!ended) return;
      useless = true;
      tabs.tell({ type: 'useless' });
    });
    const asking = setInterval(() => !isSeen() && tabs.tell({ type: 'anyone' }), TICK);
    leading.addEventListener('abort', () => {
      clearInterval(asking);
      if (following === made) following = null;
    });
  }

  function hear(word: Word): void {
    switch (word.type) {
      case 'heard':
        if (following !== null || (word.to ?? tab) !== tab) return;
        heardAt = now();
        works = true;
        if (word.id !== null) place = word.id;
        effect(word.data);
        return;
      case 'here':
        seenAt = now();
        if (following === null) return;
        following.wake();
        if (useless) tabs.tell({ type: 'useless' });
        else if (works) tabs.tell({ type: 'heard', id: null, data: null, to: word.tab });
        for (const { at, word: former } of recent) if (at >= word.since) tabs.tell({ ...former, to: word.tab });
        return;
      case 'anyone':
        if (isSeen()) tabs.tell({ type: 'here', tab, since: now() });
        return;
      case 'useless':
        useless = true;
    }
  }
  const name = `changer-live ${options.baseUrl} ${nameOf(area)}`;
  const tabs = createTabs({ name, hear, lead, signal });

  function takeOver(): void {
    if (following !== null || useless || signal.aborted) return;
    heardAt = now();
    tabs.takeOver();
  }
  /** Says that this tab is seen; a tab that leads and does not answer sleeps. */
  function join(since: number): void {
    const asked = now();
    tabs.tell({ type: 'here', tab, since });
    setTimeout(() => heardAt < asked && isSeen() && takeOver(), ANSWER);
  }

  let leftAt = now();
  const look = () => {
    if (!isSeen()) {
      leftAt = now();
      return;
    }
    seenAt = now();
    following?.wake();
    if (following === null) join(leftAt);
    // Without a stream the page is read anew when the reader returns to it.
    if (works && !useless) return;
    options.client.forget();
    void area.refresh();
  };
  join(since);
  document.addEventListener('visibilitychange', look, { signal });
  window.addEventListener('online', () => following?.wake(), { signal });
  const watch = setInterval(() => {
    if (isSeen()) seenAt = now();
    if (isSeen() && now() - heardAt > LOST) takeOver();
  }, TICK);
  signal.addEventListener('abort', () => clearInterval(watch));
}
