// Session of the client: renewal, sign-in and sign-out.

import { expect } from '@open-wc/testing';
import { ApiError } from '../../../src/api/api-error.ts';
import { createTokenStorage } from '../../../src/api/token-storage.ts';
import type { HttpClient } from '../../../src/api/types.ts';
import { createSessionRenewal } from '../../../src/app/session/session-renewal.ts';
import { createUserSession } from '../../../src/app/session/user-session.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { createStoredValue } from '../../../src/lib/web-storage.ts';
import { eraseReaderDatabase } from '../../../src/storage/erase.ts';
import { lockDevice } from '../data/own-device.ts';
import { stubServices } from '../features/dial-services.ts';

lockDevice();

describe('session renewal', () => {
  const real = { setTimeout: window.setTimeout, clearTimeout: window.clearTimeout };
  /** Pending timers by id. The test runs them. */
  let timers = new Map<number, { readonly run: () => void; readonly ms: number }>();
  beforeEach(() => {
    timers = new Map();
    let last = 0;
    Reflect.set(window, 'setTimeout', (callback: () => void, ms = 0) => {
      timers.set(++last, { run: callback, ms });
      return last;
    });
    Reflect.set(window, 'clearTimeout', (id: number) => void timers.delete(id));
  });
  afterEach(() => void Object.assign(window, real));

  function make() {
    let attempts = 0;
    const sessionEnded = createSignal(false);
    const renewal = createSessionRenewal({ sessionEnded, hasLaunchData: () => true, signIn: () => void attempts++ });
    const runAll = () => {
      const due = [...timers.values()];
      timers.clear();
      for (const { run } of due) run();
    };
    return { renewal, ended: sessionEnded, runAll, attempts: () => attempts };
  }
  const noResponse = new ApiError('No response received', null);

  it('keeps one timer when several navigations fail to sign in', () => {
    const { renewal, runAll, attempts } = make();
    renewal.begin();
    expect(attempts()).to.equal(1);
    for (let navigation = 0; navigation < 5; navigation++) renewal.signInFailed(noResponse);
    expect([...timers.values()].map(({ ms }) => ms)).to.deep.equal([15_000]);
    runAll();
    expect(attempts()).to.equal(2);
    renewal.signInFailed(noResponse);
    renewal.end();
    expect(timers.size).to.equal(0);
  });

  it('retries after the Retry-After delay of a 429 response', () => {
    const { renewal } = make();
    renewal.begin();
    const errorWithHeaders = (headers: object) => new ApiError('Too many.', 429, { response: { status: 429, headers } });
    renewal.signInFailed(errorWithHeaders({ 'retry-after': '40' }));
    expect([...timers.values()].map(({ ms }) => ms)).to.deep.equal([40_000]);
    renewal.end();
  });
});

const SIGN_IN = '/api/telegram/auth/webapp';
const DATA = new URLSearchParams({ user: JSON.stringify({ id: 77, first_name: 'Ada' }), auth_date: '1', hash: 'a' });

describe('sign-in before a navigation', () => {
  it('does not retry while the server asks for a delay, however many pages are opened', async () => {
    const real = performance.now;
    let now = 0;
    performance.now = () => now;
    const lastReader = createStoredValue('device', 'changer_reader');
    lastReader.write('77');
    let signInCount = 0;
    const client: HttpClient = {
      get: () => Promise.reject(new ApiError('No response received', null)),
      async write() {
        signInCount++;
        throw new ApiError('Too many.', 429, { response: { status: 429, headers: { 'retry-after': '40' } } });
      },
      clearCache() {},
    };
    const host = { ...stubServices().host, readerId: () => '77', launchData: () => String(DATA) };
    const sessionEnded = createSignal(false);
    const reader = await createUserSession({
      client,
      tokenStorage: createTokenStorage(),
      host,
      onClientChanged: () => {},
      sessionEnded,
    });
    const open = async (at: number) => {
      now = at;
      await reader.guard();
      // A known reader does not wait: the sign-in continues after the guard returns.
      await new Promise((resolve) => setTimeout(resolve));
      return signInCount;
    };
    expect(await open(0)).to.equal(1);
    expect(await open(1000)).to.equal(1);
    expect(await open(39_000)).to.equal(1);
    expect(await open(41_000)).to.equal(2);
    performance.now = real;
    reader.dataClient().close();
    lastReader.write(null);
    await eraseReaderDatabase('77');
  });

  it('delays the navigation of an anonymous reader on a new device', async () => {
    const answers: ((reason: Error) => void)[] = [];
    const client: HttpClient = {
      get: () => Promise.reject(new ApiError('No response received', null)),
      write: () => new Promise((_, reject) => answers.push(reject)),
      clearCache() {},
    };
    const reader = await createUserSession({
      client,
      tokenStorage: createTokenStorage(),
      // The session is the one of an anonymous reader, as after the question for consent.
      host: { ...stubServices().host, readerId: () => null, launchData: () => String(DATA) },
      onClientChanged: () => {},
      sessionEnded: createSignal(false),
    });
    let isDelayed = true;
    const guarded = reader.guard().then(() => (isDelayed = false));
    await new Promise((next) => setTimeout(next, 50));
    expect(isDelayed).to.equal(true);
    for (const reject of answers) reject(new ApiError('No.', 401));
    await guarded;
    reader.dataClient().close();
  });
});

describe('sign-out', () => {
  it('does not sign in again when the server rejects the token during sign-out', async () => {
    const session = createTokenStorage();
    session.store('expired');
    const sent: string[] = [];
    const client: HttpClient = {
      get: () => Promise.reject(new ApiError('No response received', null)),
      async write(method, path) {
        sent.push(`${method} ${path}`);
        if (path === SIGN_IN) return { 'Access-Token': 'fresh' };
        session.clearRejected('expired');
        throw new ApiError('Who?', 401);
      },
      clearCache() {},
    };
    let launchData: string | null = String(DATA);
    const host = {
      ...stubServices().host,
      readerId: () => '77',
      launchData: () => launchData,
      dropLaunchData: () => {
        launchData = null;
      },
    };
    const reader = await createUserSession({
      client,
      tokenStorage: session,
      host,
      onClientChanged: () => {},
      sessionEnded: createSignal(false),
    });
    await reader.signOut();
    expect(sent.filter((each) => each.endsWith(SIGN_IN))).to.deep.equal([]);
    expect(sent).to.include('delete /api/session');
    expect(session.token()).to.equal(null);
    reader.dataClient().close();
    await eraseReaderDatabase('77');
  });
});
