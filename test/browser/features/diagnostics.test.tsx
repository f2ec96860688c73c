// Self-test page: checks of the app and its report without secrets.

import { expect, waitUntil } from '@open-wc/testing';
import { openDB } from 'idb';
import '../../../elements/changer-self-test.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { Host } from '../../../src/platform/platform.ts';
import { eraseReaderDatabase } from '../../../src/storage/erase.ts';
import { lockDevice } from '../data/own-device.ts';
import { type StubServices, stubServices } from './dial-services.ts';

const TOKEN = 'a-token-that-must-stay-here';
const LAUNCH = new URLSearchParams({
  user: JSON.stringify({ id: 987654321, first_name: 'Anna' }),
  auth_date: String(Math.floor(Date.now() / 1000) - 120),
  signature: 'signature-that-must-stay-here',
  hash: 'hash-that-must-stay-here',
}).toString();
const SECRETS = [TOKEN, 'signature-that-must-stay-here', 'hash-that-must-stay-here', '987654321', 'cookie-that-must-stay-here'];

/** Responses of the server. An invalid token is rejected in any request. */
const SERVER: Readonly<Record<string, () => Response>> = {
  '/healthz': () => Response.json({ live: true, ready: true, version: '0.1.0' }, { headers: { date: new Date().toUTCString() } }),
  '/api/channels': () => Response.json({ items: [{}, {}], next: null }),
  '/api/me': () => problem(401, 'The session has ended: sign in again.'),
  '/api/telegram/auth/webapp': () => Response.json({ 'Access-Token': TOKEN, user: { id: '987654321', name: 'Anna' } }),
};
const problem = (status: number, detail: string): Response =>
  new Response(JSON.stringify({ title: 'x', status, detail }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });

let mounted: ChangerElement | null = null;
let responses: Record<string, () => Response>;
const realFetch = window.fetch;
beforeEach(() => {
  responses = { ...SERVER };
  window.fetch = async (input, init) => {
    const path = new URL(String(input instanceof Request ? input.url : input), location.href).pathname;
    const response = responses[path];
    return response === undefined ? realFetch(input, init) : response();
  };
});
afterEach(() => {
  window.fetch = realFetch;
  mounted?.remove();
  sessionStorage.removeItem('access_token');
});

function mount(services: StubServices): ChangerElement {
  mounted = document.createElement('changer-self-test');
  mounted.services = services;
  document.body.append(mounted);
  return mounted;
}

const inTelegram = (services: StubServices): StubServices => {
  const host: Host = {
    ...services.host,
    kind: 'telegram',
    platform: 'ios',
    version: '8.0',
    supports: () => true,
    launchData: () => LAUNCH,
    readerId: () => '987654321',
  };
  return { ...services, host };
};
const all = (page: Element, selector: string): HTMLElement[] => [
  ...(page.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
];
const waitUntilDone = (page: Element) =>
  waitUntil(
    () => all(page, '.verdict[aria-busy=false]').length === 1 && all(page, '[role=status]')[0]?.textContent !== '',
    'all checks ran, and it is said',
  );
const check = (page: Element, title: string): HTMLElement => {
  const found = all(page, '.check').find((each) => each.querySelector('h3')?.textContent?.startsWith(title) === true);
  if (found === undefined) throw new Error(`no check called ${title}`);
  return found;
};
const named = (page: Element, name: string): HTMLElement => {
  const found = all(page, 'button').find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name);
  if (found === undefined) throw new Error(`no button called ${name}`);
  return found;
};

lockDevice();

describe('changer-self-test', () => {
  it('runs every check when it opens, and announces the result once', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    expect(all(page, '.check').length).to.equal(14);
    expect(all(page, '[role=status]')[0]?.textContent).to.match(/^Passed\s\d+ · Warnings\s\d+ · Failed\s0/);
    expect(check(page, 'Server').className).to.contain('pass');
    expect(check(page, 'Server').textContent).to.contain('version 0.1.0');
    expect(check(page, 'Storage').className).to.contain('pass');
  });

  it('skips launch data and sign-in in a browser', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    expect(check(page, 'Launch data').className).to.contain('na');
    expect(check(page, 'Sign-in').className).to.contain('na');
  });

  it('reads launch data and signs in inside Telegram', async () => {
    sessionStorage.setItem('access_token', TOKEN);
    const page = mount(inTelegram(stubServices()));
    await waitUntilDone(page);
    expect(check(page, 'Launch data').className).to.contain('pass');
    expect(check(page, 'Launch data').textContent).to.contain('•••21');
    expect(check(page, 'Sign-in').className).to.contain('pass');
  });

  it('fails, with a remedy, when the server accepts a made-up token', async () => {
    responses['/api/me'] = () => Response.json({ user: null });
    const page = mount(stubServices());
    await waitUntilDone(page);
    const refusal = check(page, 'A wrong token is refused');
    expect(refusal.className).to.contain('fail');
    expect(refusal.querySelector('.check-remedy')?.textContent).to.contain('401');
  });

  it('warns when the server has no bot token, fails without a server, and continues', async () => {
    responses['/api/telegram/auth/webapp'] = () => problem(503, 'Sign-in is off.');
    responses['/healthz'] = () => {
      throw new TypeError('Failed to fetch');
    };
    const page = mount(inTelegram(stubServices()));
    await waitUntilDone(page);
    expect(check(page, 'Sign-in').className).to.contain('warn');
    expect(check(page, 'Server').className).to.contain('fail');
    expect(check(page, 'Language').className).to.contain('pass');
  });

  it('warns when nothing can be read offline', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    expect(check(page, 'Reading without a network').className).to.contain('warn');
  });

  it('fails when the stored data is damaged, and passes after it is deleted', async () => {
    await eraseReaderDatabase(null);
    (await openDB('changer-anonymous', 1)).close();
    const page = mount(stubServices());
    await waitUntilDone(page);
    expect(check(page, 'Storage').className).to.contain('fail');
    expect(check(page, 'Storage').querySelector('.check-remedy')?.textContent).to.contain('repair and reset');
    await eraseReaderDatabase(null);
    named(page, 'Run again: Storage').click();
    await waitUntil(() => check(page, 'Storage').className.includes('pass'));
  });

  it('runs one check again', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    responses['/healthz'] = () => Response.json({ live: true, ready: false, version: '0.1.0' }, { status: 503 });
    named(page, 'Run again: Server').click();
    await waitUntil(() => check(page, 'Server').className.includes('fail'));
    expect(check(page, 'Channels').className).to.contain('pass');
  });

  it('copies a report without secrets, even when the server repeats one', async () => {
    sessionStorage.setItem('access_token', TOKEN);
    // biome-ignore lint/suspicious/noDocumentCookie: a cookie to be looked for in the report
    document.cookie = 'XSRF-TOKEN=cookie-that-must-stay-here; path=/';
    responses['/api/telegram/auth/webapp'] = () => problem(401, `Refused: ${LAUNCH} ${SECRETS.join(' ')}`);
    const page = mount(inTelegram(stubServices()));
    await waitUntilDone(page);
    const copied: string[] = [];
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => copied.push(text) },
    });
    named(page, 'Copy report').click();
    named(page, 'Copy report as JSON').click();
    await waitUntil(() => copied.length === 2);
    Reflect.deleteProperty(navigator, 'clipboard');
    // biome-ignore lint/suspicious/noDocumentCookie: it goes again
    document.cookie = 'XSRF-TOKEN=; path=/; max-age=0';
    for (const text of copied) {
      expect(text).to.contain('Refused');
      for (const secret of [...SECRETS, LAUNCH]) expect(text).not.to.contain(secret);
    }
    expect(copied[0]).to.contain('| Sign-in | fail |');
    expect(JSON.parse(copied[1] ?? '').checks.length).to.equal(14);
  });

  it('shows the report to copy by hand when the clipboard is not allowed', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: () => Promise.reject(new Error('no')) },
    });
    named(page, 'Copy report').click();
    await waitUntil(() => all(page, 'dialog textarea').length === 1);
    Reflect.deleteProperty(navigator, 'clipboard');
    expect((all(page, 'dialog textarea')[0] as HTMLTextAreaElement).value).to.contain('| Check | Result |');
  });

  it('lists what it will delete before a reset, and keeps the data of the user by default', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    named(page, 'Repair and reset…').click();
    await waitUntil(() => all(page, 'dialog[open]').length === 1);
    expect(all(page, 'dialog input').map((box) => (box as HTMLInputElement).checked)).to.deep.equal([true, true, false]);
  });

  it('keeps the files of the app when they could not be loaded again', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    named(page, 'Repair and reset…').click();
    await waitUntil(() => all(page, 'dialog[open]').length === 1);
    responses = { ...responses, '/healthz': () => Response.error() };
    named(page, 'Reset and reload').click();
    await waitUntil(() => all(page, 'dialog [role=alert]').length === 1, 'the result is shown');
    expect(all(page, 'dialog input').map((box) => (box as HTMLInputElement).checked)).to.deep.equal([false, true, false]);
    await expect(page).to.be.accessible();
  });

  it('passes axe', async () => {
    const page = mount(stubServices());
    await waitUntilDone(page);
    await expect(page).to.be.accessible();
  });
});
