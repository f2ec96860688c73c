// Event stream (SSE): /api/events with resumption, private channels and reader-added feeds.

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import type { LiveEvent } from '../../../contract/events.ts';
import type { Message } from '../../../server/domain/model.ts';
import { createEventHub } from '../../../server/events/event-hub.ts';
import { createSlotLimiter } from '../../../server/lib/concurrency.ts';
import { channel, fill, message, signIn, type TestApp, withChannels } from '../support/make-app.ts';
import {
  type EventStreamClient,
  openCaughtUpStream,
  openEventStream,
  startListening,
  summarizeEvents,
  until,
} from './event-stream-client.ts';

/** Returns a post as the bot receives it, with the time of now. */
const posted = (channelId: string, id: number, text: string, modifiedAt = 1_800_000_000 + id): Message => ({
  ...message(channelId, id, text, [], 1_800_000_000 + id),
  source: 'bot',
  modifiedAt,
});

/** Waits until all events that were written have been sent. */
async function waitUntilAllSent(t: TestContext, { store, context }: TestApp, origin: string): Promise<void> {
  const listener = await openCaughtUpStream(t, origin, '?channels=2');
  await store.appendEvent('refresh', '2');
  await until(() => listener.received.at(-1)?.type === 'refresh', 'all is told');
  const count = context.eventHub.count();
  listener.stop();
  await until(() => context.eventHub.count() < count, 'the listener has left');
}

async function serve(t: TestContext, environment: Record<string, string> = {}): Promise<TestApp & { origin: string }> {
  const testApp = await withChannels(t, environment);
  const origin = await startListening(testApp);
  await waitUntilAllSent(t, testApp, origin);
  return { ...testApp, origin };
}

describe('GET /api/events', () => {
  it('sends new posts, edits, hidden posts and changed channels, with the same data as the API', async (t) => {
    const { store, origin, app } = await serve(t);
    const reader = await openCaughtUpStream(t, origin);
    await store.putMessages([posted('1', 51, 'Fresh')]);
    await until(() => reader.received.length === 1, 'the new post is told');
    await store.putMessages([posted('1', 51, 'Mended', 1_900_000_000)]);
    await until(() => reader.received.length === 2, 'the edit is told');
    await store.hidePost('1', 51, 1_900_000_001);
    await store.putChannel({ ...channel('2'), title: 'Renamed' });
    await store.appendEvent('refresh', '1');
    await until(() => reader.received.length === 5, 'the rest is told');
    const expected = ['new 1/51 Fresh', 'edited 1/51 Mended', 'hidden 1/51', 'channel Renamed', 'refresh 1'];
    assert.deepEqual(summarizeEvents(reader.received), expected);
    const [, , , renamed] = reader.received;
    assert.deepEqual(renamed, { type: 'channel', channel: (await app.inject('/api/channels/2')).json() });
  });

  it('notifies only the other pages of a reader about a change by that reader', async (t) => {
    const testApp = await serve(t);
    const [phone, desk, other] = [await signIn(testApp, 1), await signIn(testApp, 1), await signIn(testApp, 2)];
    const [onPhone, onDesk, onOther, anonymous] = [
      await openCaughtUpStream(t, testApp.origin, '', phone),
      await openCaughtUpStream(t, testApp.origin, '', desk),
      await openCaughtUpStream(t, testApp.origin, '', other),
      await openCaughtUpStream(t, testApp.origin),
    ];
    await testApp.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers: phone });
    await testApp.app.inject({ method: 'PUT', url: '/api/channels/1/read', headers: phone, payload: { messageId: 3 } });
    await until(() => onDesk.received.length > 0, 'the desk is told');
    await testApp.store.appendEvent('refresh', '1');
    const all = [onPhone, onDesk, onOther, anonymous];
    await until(() => all.every(({ received }) => received.at(-1)?.type === 'refresh'), 'all is told');
    assert.deepEqual(
      all.map(({ received }) => summarizeEvents(received)),
      [['refresh 1'], ['reader', 'refresh 1'], ['refresh 1'], ['refresh 1']],
    );
    const payload = { entries: [{ channelId: '1' }] };
    await testApp.app.inject({ method: 'PUT', url: '/api/lineup', headers: desk, payload });
    await until(() => summarizeEvents(onPhone.received).includes('reader'), 'the phone is told');
  });

  it('notifies a page about a change that the reader made on another device while the page was disconnected', async (t) => {
    const testApp = await serve(t);
    const [phone, desk] = [await signIn(testApp, 1), await signIn(testApp, 1)];
    const { origin } = testApp;
    const disconnected = await openCaughtUpStream(t, origin, '', desk);
    disconnected.stop();
    const otherPage = await openCaughtUpStream(t, origin, '', await signIn(testApp, 1));
    await testApp.app.inject({ method: 'PUT', url: '/api/stars/1/3', headers: phone });
    await until(() => summarizeEvents(otherPage.received).includes('reader'), 'those who listen are told');
    const [startedAgo, resumed, ownPage, fresh] = [
      await openCaughtUpStream(t, origin, '?ago=5000', desk),
      await openCaughtUpStream(t, origin, `?after=${disconnected.lastId()}`, desk),
      await openCaughtUpStream(t, origin, '?ago=5000', phone),
      await openCaughtUpStream(t, origin, '?ago=5000', await signIn(testApp, 2)),
    ];
    await until(
      () => [startedAgo, resumed].every(({ received }) => summarizeEvents(received).includes('reader')),
      'both clients receive the event',
    );
    await testApp.store.appendEvent('refresh', '1');
    const all = [startedAgo, resumed, ownPage, fresh];
    await until(() => all.every(({ received }) => received.at(-1)?.type === 'refresh'), 'all is told');
    assert.deepEqual(
      [ownPage, fresh].map(({ received }) => summarizeEvents(received).includes('reader')),
      [false, false],
    );
  });

  it('passes through proxies: no store, no transformation, two kilobytes first', async (t) => {
    const { origin } = await serve(t);
    const reader = await openCaughtUpStream(t, origin, '', { 'accept-encoding': 'gzip, br' });
    assert.equal(reader.status, 200);
    assert.equal(reader.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.equal(reader.headers.get('cache-control'), 'no-store, no-transform');
    assert.equal(reader.headers.get('x-accel-buffering'), 'no');
    assert.equal(reader.headers.get('content-encoding'), null);
    assert.equal(reader.headers.get('access-control-allow-origin'), '*');
    assert.ok(reader.text().startsWith(`:${' '.repeat(2048)}\n`));
  });

  it('resumes after the last received event, also in another process', async (t) => {
    const { store, origin, app, context } = await serve(t);
    const first = await openCaughtUpStream(t, origin);
    await store.putMessages([posted('1', 51, 'Heard')]);
    await until(() => first.received.length === 1, 'the first is told');
    first.stop();
    await store.putMessages([posted('1', 52, 'Missed')]);
    await store.hidePost('1', 50, 1);
    const second = await openEventStream(t, origin, '', { 'last-event-id': first.lastId() });
    await until(() => second.received.length === 2, 'the missed are told');
    assert.deepEqual(summarizeEvents(second.received), ['new 1/52 Missed', 'hidden 1/50']);
    await app.close();
    assert.ok(second.isClosed());

    const next = await createEventHub(context);
    t.after(() => next.close());
    assert.equal(next.count(), 0);
  });

  it('starts from the time when the reader loaded the page', async (t) => {
    const { store, origin, clock } = await serve(t);
    const early = await openCaughtUpStream(t, origin);
    clock.now += 30_000;
    await store.putMessages([posted('1', 51, 'While the page loaded')]);
    await until(() => early.received.length === 1, 'the event is received');
    clock.now += 60_000;
    const lateReader = await openEventStream(t, origin, '?ago=65000');
    await until(() => lateReader.received.length === 1, 'a reader who had access receives the event');
    const cachedReader = await openEventStream(t, origin, '?ago=52000');
    await until(() => cachedReader.received.length === 1, 'so does one whose page a shared cache stored eight seconds before');
    const laterReader = await openCaughtUpStream(t, origin, '?ago=1000');
    await store.putMessages([posted('1', 52, 'Next')]);
    await until(() => laterReader.received.length === 1, 'the next is told');
    assert.deepEqual(summarizeEvents(laterReader.received), ['new 1/52 Next']);
  });

  it('starts from that time even if a clock that was ahead is corrected', async (t) => {
    const { store, origin, clock } = await serve(t);
    const early = await openCaughtUpStream(t, origin);
    clock.ahead = 3_600_000;
    await store.putMessages([posted('1', 51, 'While it was ahead')]);
    await until(() => early.received.length === 1, 'the first is told');
    [clock.ahead, clock.now] = [0, clock.now + 60_000];
    await store.putMessages([posted('1', 52, 'Since')]);
    await until(() => early.received.length === 2, 'the second is told');
    clock.now += 5000;
    const lateReader = await openCaughtUpStream(t, origin, '?ago=6000');
    assert.deepEqual(summarizeEvents(lateReader.received), ['new 1/52 Since']);
  });

  it('sends a reset if the reader loaded the page before the first event of this process', async (t) => {
    const { origin, clock } = await serve(t);
    clock.now += 30_000;
    const before = await openCaughtUpStream(t, origin, '?ago=31000');
    const sinceReader = await openCaughtUpStream(t, origin, '?ago=5000');
    assert.deepEqual(summarizeEvents(before.received), ['reset']);
    assert.deepEqual(summarizeEvents(sinceReader.received), []);
  });

  it('sends a reset for an id that is not its own, and if the reader missed too much', async (t) => {
    const testApp = await serve(t);
    const { store, origin } = testApp;
    const before = await openCaughtUpStream(t, origin);
    before.stop();
    await store.putMessages(Array.from({ length: 5001 }, (_, index) => posted('2', 100 + index, 'Missed')));
    await waitUntilAllSent(t, testApp, origin);
    for (const id of ['abc', 'AAAAAAAAAAAAAAAAAAAAAA', before.lastId()]) {
      const reader = await openCaughtUpStream(t, origin, `?after=${id}`);
      assert.deepEqual(summarizeEvents(reader.received), ['reset'], id);
    }
  });

  it('sends an album, a burst of edits, or a post hidden at once as one final result', async (t) => {
    const { store, origin } = await serve(t);
    const reader = await openCaughtUpStream(t, origin);
    const photo = (id: number): Message => ({
      ...posted('1', id, id === 60 ? 'Three pictures' : ''),
      media: [{ type: 'photo', messageId: id, missing: 'pending' }],
      albumId: 'g',
    });
    await store.putMessages([photo(60), photo(61), photo(62)]);
    await store.putMessages([posted('2', 70, 'Not for long')]);
    await store.hidePost('2', 70, 1);
    await until(() => reader.received.length === 2, 'they are told');
    assert.deepEqual(summarizeEvents(reader.received), ['new 1/60 Three pictures', 'hidden 2/70']);
    const [album] = reader.received;
    assert.equal(album?.type === 'new' && album.post.media.length, 3);
    assert.doesNotMatch(reader.text(), /Not for long/);
  });

  it('reads and serializes an event once for all connections', async (t) => {
    const { store, origin } = await serve(t);
    const readers = await Promise.all(Array.from({ length: 20 }, () => openCaughtUpStream(t, origin)));
    const read = t.mock.method(store, 'post');
    await store.putMessages([posted('1', 51, 'Once')]);
    await until(() => readers.every(({ received }) => received.length === 1), 'all have heard');
    assert.equal(read.mock.callCount(), 1);
    assert.equal(new Set(readers.map((reader) => reader.lastId())).size, 1);
  });

  it('sends each event once and in order to hundreds of connections, also to those that start or resume meanwhile', async (t) => {
    const { store, origin } = await serve(t);
    const from = (at: number, headers = {}) =>
      openCaughtUpStream(t, origin, '', { 'x-forwarded-for': `10.0.0.${at}`, ...headers });
    const readers = await Promise.all(Array.from({ length: 240 }, (_, at) => from(at)));
    const ids = Array.from({ length: 12 }, (_, at) => 51 + at);
    const receivedIds = ({ received }: { received: readonly LiveEvent[] }) =>
      received.flatMap((one) => ('post' in one ? one.post.id : []));
    const resumed: { readonly before: readonly number[]; readonly after: EventStreamClient }[] = [];
    for (const [at, id] of ids.entries()) {
      await store.putMessages([posted('1', id, `Post ${id}`)]);
      const left = readers[at];
      await until(() => left?.received.length !== at, 'the first of them are told');
      left?.stop();
      const before = left ? receivedIds(left) : [];
      const after = await from(at, { 'last-event-id': left?.lastId() ?? '' });
      resumed.push({ before, after });
    }
    const remaining = readers.slice(ids.length);
    await until(() => remaining.every(({ received }) => received.length >= ids.length), 'all is told');
    for (const one of remaining) assert.deepEqual(receivedIds(one), ids);
    await until(() => resumed.every(({ before, after }) => before.length + after.received.length >= ids.length), 'those too');
    for (const { before, after } of resumed) assert.deepEqual([...before, ...receivedIds(after)], ids);
  });

  it('sends only events of the requested channels', async (t) => {
    const { store, origin } = await serve(t);
    const reader = await openCaughtUpStream(t, origin, '?channels=alpha');
    await store.putMessages([posted('2', 6, 'Elsewhere'), posted('1', 51, 'Here')]);
    await until(() => reader.received.length > 0, 'something is told');
    assert.deepEqual(summarizeEvents(reader.received), ['new 1/51 Here']);
    assert.equal((await fetch(`${origin}/api/events?channels=nobody`)).status, 404);
  });

  it('returns 401 for an invalid token, and ends with the session', async (t) => {
    const testApp = await serve(t);
    assert.equal((await openEventStream(t, testApp.origin, '', { 'access-token': 'none' })).status, 401);
    const headers = await signIn(testApp, 8);
    const reader = await openCaughtUpStream(t, testApp.origin, '', headers);
    await testApp.app.inject({ method: 'DELETE', url: '/api/session', headers });
    await testApp.store.putMessages([{ ...posted('9', 10, 'Closed') }]);
    await until(reader.isClosed, 'the stream is over');
    assert.doesNotMatch(reader.text(), /Closed/);
  });

  it('disconnects only the reader who receives nothing', async (t) => {
    const { store, origin, context } = await serve(t);
    const healthy = await openCaughtUpStream(t, origin);
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    t.after(() => socket.destroy());
    socket.write('GET /api/events HTTP/1.1\r\nhost: here\r\n\r\n');
    await until(() => socket.bytesRead > 2048, 'the slow one is answered');
    socket.pause();
    await until(() => context.eventHub.count() === 2, 'both clients are connected');
    const long = 'x'.repeat(500_000);
    let sent = 0;
    while (context.eventHub.count() === 2) {
      assert.ok(sent < 60, 'thirty megabytes are not kept for a reader');
      sent += 1;
      await store.putMessages([posted('1', 51, `${sent} ${long}`, 1_900_000_000 + sent)]);
      await until(() => healthy.received.length === sent, 'the other one hears it');
    }
    assert.equal(healthy.isClosed(), false);
  });

  it('rejects a connection from an IP address with too many streams, by the address that our proxy reports', async (t) => {
    const { origin, context } = await serve(t);
    const from = (address: string) => openEventStream(t, origin, '', { 'x-forwarded-for': `10.9.9.9, ${address}` });
    const open = await Promise.all(Array.from({ length: 100 }, () => from('203.0.113.7')));
    const rejected = await from('203.0.113.7');
    assert.deepEqual([rejected.status, rejected.headers.get('retry-after')], [503, '30']);
    assert.equal((await from('203.0.113.8')).status, 200);
    open[0]?.stop();
    await until(() => context.eventHub.count() === 100, 'one client disconnected');
    assert.equal((await from('203.0.113.7')).status, 200);
  });

  it('ends its streams when the server stops', async (t) => {
    const { origin, app, context } = await serve(t);
    const reader = await openCaughtUpStream(t, origin);
    await app.close();
    await until(reader.isClosed, 'the stream has ended');
    assert.equal(context.eventHub.count(), 0);
  });
});

describe('event stream of a private channel', () => {
  it('reaches only readers of the channel, and the event ids of others disclose nothing about it', async (t) => {
    const testApp = await serve(t, { OPERATOR_IDS: '7' });
    const { store, origin } = testApp;
    const operator = await openCaughtUpStream(t, origin, '', await signIn(testApp, 7));
    const others = [await openCaughtUpStream(t, origin), await openCaughtUpStream(t, origin, '', await signIn(testApp, 8))];
    await store.putMessages([posted('9', 10, 'Behind the door')]);
    await store.hidePost('9', 10, 1);
    await store.putChannel({ ...channel('9', { private: true, username: 'secret' }), title: 'Still closed' });
    await store.appendEvent('refresh', '9');
    await until(() => operator.received.length > 2, 'the operator hears');
    await store.putMessages([posted('1', 51, 'For all')]);
    await until(() => others.every(({ received }) => received.length > 0), 'the others hear the next');
    for (const other of others) {
      assert.deepEqual(summarizeEvents(other.received), ['new 1/51 For all']);
      assert.doesNotMatch(other.text(), /door|closed|secret|"9"/);
      const ids = [...other.text().matchAll(/^id: (.*)$/gm)].map(([, id]) => id);
      assert.ok(ids.every((id) => /^[\w-]{22}$/.test(id ?? '')));
    }
    const resumedReader = await openCaughtUpStream(t, origin, `?after=${others[0]?.lastId()}`);
    assert.deepEqual(resumedReader.received, []);
  });

  it('tells other readers once that the channel became private, also those who resume', async (t) => {
    const { store, origin } = await serve(t);
    const reader = await openCaughtUpStream(t, origin);
    const before = reader.lastId();
    await store.putChannel({ ...channel('2'), private: true });
    await until(() => reader.received.length > 0, 'the event "hidden" is received');
    await store.putChannel({ ...channel('2'), private: true, title: 'Renamed inside' });
    await store.putMessages([posted('2', 6, 'Inside'), posted('1', 51, 'For all')]);
    await until(() => reader.received.length > 1, 'the next is told');
    assert.deepEqual(summarizeEvents(reader.received), ['hidden 2', 'new 1/51 For all']);
    const lateReader = await openEventStream(t, origin, `?after=${before}`);
    await until(() => lateReader.received.length === 2, 'the event is received again');
    assert.deepEqual(summarizeEvents(lateReader.received), ['hidden 2', 'new 1/51 For all']);
    assert.doesNotMatch(lateReader.text(), /nside/);
  });

  it('tells readers of the channel that it was deleted or unpublished', async (t) => {
    const testApp = await serve(t, { OPERATOR_IDS: '7' });
    const operator = await openCaughtUpStream(t, testApp.origin, '', await signIn(testApp, 7));
    const anonymous = await openCaughtUpStream(t, testApp.origin);
    await testApp.store.setSoftDeleted('9', true);
    await testApp.store.removeChannels(['2']);
    await testApp.store.setSoftDeleted('1', true);
    await testApp.store.setSoftDeleted('1', false);
    await until(() => operator.received.length > 2 && anonymous.received.length > 1, 'they are told');
    assert.deepEqual(summarizeEvents(operator.received), ['hidden 9', 'hidden 2', 'channel Channel 1']);
    assert.deepEqual(summarizeEvents(anonymous.received), ['hidden 2', 'channel Channel 1']);
  });

  it('hides the channel from a reader who loses access, and shows it to one who gains access', async (t) => {
    const testApp = await serve(t);
    await fill(testApp.store, channel('10', { private: true }), 1);
    let allowedChannels = ['9'];
    const accessChecks = [] as string[][];
    const eventHub = testApp.context.eventHub;
    const listen = eventHub.subscribe;
    t.mock.method(eventHub, 'subscribe', (response: Parameters<typeof listen>[0], listener: Parameters<typeof listen>[1]) =>
      listen(response, {
        ...listener,
        accessScope: { privateChannels: allowedChannels },
        refreshAccess: async () => {
          accessChecks.push(allowedChannels);
          return { accessScope: { privateChannels: allowedChannels }, extraChannels: new Set() };
        },
      }),
    );
    const member = await openCaughtUpStream(t, testApp.origin);
    await testApp.store.putMessages([posted('9', 10, 'To members')]);
    await until(() => member.received.length === 1, 'the member hears');
    allowedChannels = ['10'];
    await testApp.store.putMessages([posted('9', 11, 'Too late')]);
    await until(() => member.received.length === 2, 'the channel is removed');
    await testApp.store.putMessages([posted('9', 12, 'Too late'), posted('10', 5, 'Welcome')]);
    await until(() => member.received.length === 3, 'the other is told');
    assert.deepEqual(summarizeEvents(member.received), ['new 9/10 To members', 'hidden 9', 'new 10/5 Welcome']);
    assert.ok(accessChecks.length >= 3);
  });
});

describe('event stream of a reader-added channel', () => {
  const OTHER = 'f-0000000000000001';

  it('reaches only clients that name the channel or have it in their line-up', async (t) => {
    const testApp = await serve(t, { OPERATOR_IDS: '7' });
    const { store, origin } = testApp;
    const reader = await signIn(testApp, 8);
    await store.addExternalChannel({ id: OTHER, title: 'Elsewhere' }, 9, 0);
    await store.putLineup('8', { entries: [{ channelId: OTHER }] });
    await waitUntilAllSent(t, testApp, origin);
    const others = [
      await openCaughtUpStream(t, origin),
      await openCaughtUpStream(t, origin, '?channels=1'),
      await openCaughtUpStream(t, origin, '?also=f-1'),
      await openCaughtUpStream(t, origin, '', await signIn(testApp, 7)),
    ];
    const before = others[0]?.lastId();
    const followers = [
      await openCaughtUpStream(t, origin, `?also=${OTHER}`),
      await openCaughtUpStream(t, origin, `?channels=${OTHER},1`),
      await openCaughtUpStream(t, origin, '', reader),
    ];
    await store.putMessages([posted(OTHER, 5, 'From afar')]);
    await until(() => followers.every(({ received }) => received.length === 1), 'they hear');
    await store.putChannel({ ...channel(OTHER, { source: 'feed' }), title: 'Renamed' });
    await until(() => followers.every(({ received }) => received.length === 2), 'they hear the name');
    await store.removeChannels([OTHER]);
    await store.putMessages([posted('1', 51, 'For all')]);
    await until(
      () => [...followers, ...others].every(({ received }) => summarizeEvents(received).includes('new 1/51 For all')),
      'all hear',
    );
    const expected = [`new ${OTHER}/5 From afar`, 'channel Renamed', `hidden ${OTHER}`, 'new 1/51 For all'];
    for (const { received } of followers) assert.deepEqual(summarizeEvents(received), expected);
    const lateReader = await openEventStream(t, origin, `?after=${before}`);
    await until(() => lateReader.received.length > 0, 'a client that resumes receives the event');
    for (const other of [...others, lateReader]) {
      assert.deepEqual(summarizeEvents(other.received), ['new 1/51 For all']);
      assert.doesNotMatch(other.text(), /f-0000|afar|Renamed/);
    }
  });

  it('reaches everyone as soon as an operator adds the channel', async (t) => {
    const testApp = await serve(t);
    const { store, origin } = testApp;
    await store.addExternalChannel({ id: OTHER, title: 'Elsewhere' }, 9, 0);
    await waitUntilAllSent(t, testApp, origin);
    const anonymous = await openCaughtUpStream(t, origin);
    await store.putMessages([posted(OTHER, 5, 'From afar')]);
    await store.promoteExternalChannel(OTHER);
    await until(() => anonymous.received.length > 0, 'everyone is told');
    await store.putMessages([posted(OTHER, 6, 'Near')]);
    await until(() => summarizeEvents(anonymous.received).includes(`new ${OTHER}/6 Near`), 'and hears what comes');
    assert.ok(summarizeEvents(anonymous.received).includes('channel Elsewhere'));
  });
});

describe('createSlotLimiter', () => {
  it('limits the slots in total and for each key, and releases each slot once', () => {
    const slots = createSlotLimiter({ all: 3, each: 2 });
    const [one, two] = [slots.acquire('a'), slots.acquire('a')];
    assert.ok(one && two);
    assert.equal(slots.acquire('a'), null);
    assert.ok(slots.acquire('b'));
    assert.equal(slots.acquire('c'), null);
    one();
    one();
    assert.equal(slots.count(), 2);
    assert.ok(slots.acquire('c'));
    assert.equal(slots.acquire('c'), null);
  });
});
