// Clients of the fault drill: they read, write and listen while a fault is played, and record the responses.
import { setTimeout as wait } from 'node:timers/promises';
import { type EventStreamClient, openEventStream } from '../server/events/event-stream-client.ts';
import { signInAt } from '../server/support/make-app.ts';
import { until } from '../support/browser.ts';
import { POSTS, type Site, STARRED } from './site.ts';

const READER_ID = 7;
/** Pause between two actions of each kind, ms. A reader may make twenty changes per second. */
const INTERVALS_MS = { read: 25, health: 100, star: 60, post: 400, signIn: 2000 };
const REQUEST_TIMEOUT_MS = 15_000;

/** Number of responses by status; `none` counts requests without a response. */
export type Statuses = Map<string, number>;

export interface Watch {
  readonly reads: Statuses;
  readonly writes: Statuses;
  /** The distinct responses of /healthz, in order. */
  readonly health: Set<string>;
  /** Returns the longest time without a successful read, ms. */
  silence(): number;
  /** Returns how often the stream was opened. */
  streams(): number;
  /** Returns the number of posts that the stream delivered, and of posts in Telegram. */
  told(): readonly [heard: number, posted: number];
  /** Resolves when everything works again: health, a read, a write, and a post on the stream. */
  well(): Promise<void>;
  /** Stops the clients. Returns the number of acknowledged writes, and the missing ones. */
  stop(): Promise<{ readonly acknowledged: number; readonly lost: readonly string[] }>;
}

const count = (statuses: Statuses, status: string) => void statuses.set(status, (statuses.get(status) ?? 0) + 1);

/**
 * Selects the process that gets the requests. If it does not respond, the next one is used, as a proxy in front of them does.
 */
function createProxy({ servers }: Site) {
  let index = 0;
  const origin = () => servers[index % servers.length]?.origin ?? '';
  return {
    origin,
    async send(path: string, init: RequestInit = {}): Promise<Response | null> {
      for (let tries = 0; tries < servers.length; tries += 1) {
        const attempted = index;
        try {
          return await fetch(origin() + path, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
        } catch {
          // Another request may have selected the next process already.
          if (index === attempted) index += 1;
        }
      }
      return null;
    },
  };
}
type SendRequest = ReturnType<typeof createProxy>['send'];

/** Reads the front page like a client that has it in its cache (ETag). */
function pollFeed(send: SendRequest, reads: Statuses) {
  let [silence, last, tag] = [0, performance.now(), ''];
  return {
    silence: () => Math.max(silence, performance.now() - last),
    async step() {
      const response = await send('/api/feed', { headers: { 'if-none-match': tag } });
      await response?.arrayBuffer().catch(() => {});
      count(reads, String(response?.status ?? 'none'));
      if (response === null || response.status >= 400) return;
      tag = response.headers.get('etag') ?? tag;
      silence = Math.max(silence, performance.now() - last);
      last = performance.now();
    },
  };
}

/**
 * Stars one post after another and records the acknowledged ones. Signs in again when the session has expired, as the app does.
 */
function starPosts(send: SendRequest, writes: Statuses, signIn: () => Promise<{ 'access-token': string } | null>) {
  const acknowledged: number[] = [];
  let [next, signedIn]: [number, Promise<{ 'access-token': string } | null>] = [1, signIn()];
  const signInAgain = async () => {
    await wait(INTERVALS_MS.signIn);
    signedIn = Promise.resolve((await signIn()) ?? (await signedIn));
  };
  return {
    acknowledged,
    session: async () => (await signedIn) ?? {},
    async step() {
      const id = 1 + (next++ % POSTS);
      const headers = { ...(await signedIn), 'content-type': 'application/json' };
      const response = await send(`/api/stars/${STARRED}/${id}`, { method: 'PUT', headers, body: JSON.stringify({ at: id }) });
      count(writes, String(response?.status ?? 'none'));
      if (response?.ok) acknowledged.push(id);
      if (response?.status === 401) await signInAgain();
    },
  };
}

/** Opens a stream again whenever it ends, and resumes it after the last received event. */
function listenContinuously(origin: () => string, isOver: () => boolean) {
  const streams: EventStreamClient[] = [];
  const ends: (() => unknown)[] = [];
  const scope = { after: (end?: unknown) => void (typeof end === 'function' && ends.push(() => end())) };
  const lastId = () => streams.findLast((stream) => stream.lastId() !== '')?.lastId();
  const open = async () => {
    const id = lastId();
    const stream = await openEventStream(scope, origin(), '', id === undefined ? {} : { 'last-event-id': id }).catch(() => null);
    if (stream?.status === 200) streams.push(stream);
    while (stream?.status === 200 && !stream.isClosed() && !isOver()) await wait(20);
  };
  return {
    streams,
    open,
    hasReceived: () => lastId() !== undefined,
    heard: () => new Set(streams.flatMap(({ received }) => received.flatMap((one) => (one.type === 'new' ? one.post.text : [])))),
    close: () => Promise.all(ends.map((end) => end())),
  };
}

async function healthOf(send: SendRequest): Promise<string> {
  const response = await send('/healthz');
  const report = (await response?.json().catch(() => null)) as { failed?: string[] } | null | undefined;
  if (!response || !report?.failed) return 'none';
  return report.failed.length === 0 && response.ok ? 'well' : `${response.status} ${report.failed.join(', ')}`;
}

/** Returns every star of the reader, and the texts of the newest posts of all channels. */
async function findAll(send: SendRequest, session: Record<string, string>) {
  const pages = async (path: string, limit: number, headers: Record<string, string>) => {
    const items: { postId: number; text: string }[] = [];
    for (let next: string | null = ''; next !== null && items.length < limit; ) {
      const response = await send(`${path}?limit=100${next && `&before=${encodeURIComponent(next)}`}`, { headers });
      const page: { items: typeof items; next: string | null } = await response?.json();
      if (!response?.ok) throw new Error(`${path} answered ${response?.status}.`);
      items.push(...page.items);
      next = page.next;
    }
    return items;
  };
  const stars = new Set((await pages('/api/stars', POSTS, session)).map(({ postId }) => postId));
  return { stars, texts: new Set((await pages('/api/feed', POSTS, {})).map(({ text }) => text)) };
}

/** Starts to watch a site. Resolves when everything works. */
export async function watch(site: Site): Promise<Watch> {
  const { send, origin } = createProxy(site);
  const [reads, writes, health, posted]: [Statuses, Statuses, Set<string>, string[]] = [new Map(), new Map(), new Set(), []];
  const signIn = () => signInAt(origin(), READER_ID, site.telegram.token).catch(() => null);
  let isOver = false;
  const [reading, starring, listening] = [
    pollFeed(send, reads),
    starPosts(send, writes, signIn),
    listenContinuously(origin, () => isOver),
  ];
  const post = async () => {
    posted.push(`Drill ${posted.length}`);
    site.harbour.post(site.telegram.make.text(posted.at(-1) ?? ''));
  };
  const repeat = async (step: () => Promise<unknown>, pause: number) => {
    while (!isOver) await step().then(() => wait(pause));
  };
  const tasks = [
    repeat(listening.open, INTERVALS_MS.health),
    repeat(reading.step, INTERVALS_MS.read),
    repeat(starring.step, INTERVALS_MS.star),
    repeat(async () => health.add(await healthOf(send)), INTERVALS_MS.health),
  ];
  await until(async () => listening.hasReceived(), 'the stream is open');
  tasks.push(repeat(post, INTERVALS_MS.post));
  const well = async () => {
    const [stars, newest] = [starring.acknowledged.length, posted.length];
    await until(async () => (await healthOf(send)) === 'well', '/healthz reports no problem');
    await until(async () => starring.acknowledged.length > stars, 'a write is acknowledged');
    await until(async () => listening.heard().has(`Drill ${newest}`), 'the stream delivers a new post');
    await reading.step();
  };
  await well();
  return {
    ...{ reads, writes, health, well },
    silence: reading.silence,
    streams: () => listening.streams.length,
    told: () => [posted.filter((text) => listening.heard().has(text)).length, posted.length],
    async stop() {
      isOver = true;
      await Promise.all(tasks);
      await until(async () => posted.every((text) => listening.heard().has(text)), 'the stream delivers every post').catch(
        () => {},
      );
      await listening.close();
      const { stars, texts } = await findAll(send, await starring.session());
      const acknowledged = [...new Set(starring.acknowledged)];
      const lostStars = acknowledged.filter((id) => !stars.has(id)).map((id) => `star ${id}`);
      const lostPosts = posted.filter((text) => !texts.has(text));
      return { acknowledged: acknowledged.length + posted.length, lost: [...lostStars, ...lostPosts] };
    },
  };
}
