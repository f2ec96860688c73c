// Account menu: sessions, export of data, and deletion of a reader.

import { expect, waitUntil } from '@open-wc/testing';
import axe from 'axe-core';
import '../../../elements/changer-layout.ts';
import type { SessionPage } from '../../../contract/api.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import type { HttpClient } from '../../../src/api/types.ts';
import type { AppServices } from '../../../src/context/services.ts';
import { type StubServices, stubServices } from './dial-services.ts';

const READER = { id: '7', name: 'Anna Petrova', operator: false };
const HOURS = 3_600_000;
const session = (id: string, hours: number): SessionPage['items'][number] => ({
  ...{ id, current: hours === 0 },
  lastUsed: new Date(Date.now() - hours * HOURS).toISOString(),
});

/** In-memory server for the data of one reader. `refuse` makes the requests that begin with its text fail with its error. */
class Account {
  sessions = [session('phone', 2), session('here', 0), session('old', 30)];
  refuse: readonly [start: string, error: ApiError] | null = null;
  readonly log: string[] = [];
  readonly client: HttpClient = {
    get: async (path) => {
      this.#hear(`GET ${path}`);
      return path === '/api/me/data' ? { stars: [{ post_id: 3 }] } : { items: this.sessions };
    },
    write: async (method, path) => {
      this.#hear(`${method.toUpperCase()} ${path}`);
      const id = path.split('/')[4];
      this.sessions = this.sessions.filter((each) => (id === undefined ? each.current : each.id !== id));
    },
    clearCache: () => {},
  };
  #hear(line: string): void {
    this.log.push(line);
    if (this.refuse !== null && line.startsWith(this.refuse[0])) throw this.refuse[1];
  }
}

const problem = (status: number): ApiError =>
  new ApiError('The store is closed.', status, { response: { data: { requestId: 'r-42' } } });

let mounted: ChangerElement | null = null;
let account: Account;
beforeEach(() => {
  account = new Account();
});
afterEach(() => {
  mounted?.remove();
  mounted = null;
  document.querySelector('body > dialog')?.remove();
});

const all = (selector: string): HTMLElement[] => [...(mounted?.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
const texts = (selector: string): (string | null)[] => all(selector).map(({ textContent }) => textContent);
const press = (name: string): void => {
  const found = all('button').find(({ textContent }) => textContent === name);
  if (found === undefined) throw new Error(`no button called ${name}`);
  found.focus();
  found.click();
};
const focused = (): string | null | undefined => mounted?.shadowRoot?.activeElement?.textContent;
const rows = (): number => all('.sessions li').length;

function mount(services: AppServices, lang = 'en', theme = 'light'): void {
  mounted = Object.assign(document.createElement('changer-layout'), { services, path: '/main' });
  mounted.setAttribute('lang', lang);
  mounted.setAttribute('theme', theme);
  document.body.append(mounted);
}

const signedIn = (user = READER): StubServices => {
  const services = stubServices({ user });
  return { ...services, environment: { ...services.environment, httpClient: account.client } };
};

/** Opens the account of a signed-in reader, in the given language. */
async function open(services: AppServices = signedIn(), lang = 'en', theme = 'light'): Promise<void> {
  mount(services, lang, theme);
  all('.tabs button')[0]?.focus();
  all('.tabs button')[0]?.click();
  await waitUntil(() => all('.reader-links button').length > 0, 'the menu is open');
  all('.reader-links button')[0]?.click();
  await waitUntil(() => all('.sessions li, .account-trouble p').length > 0, 'the account is open');
  for (const animation of mounted?.shadowRoot?.getAnimations() ?? [])
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
}

describe('the account page', () => {
  it('is offered to signed-in users, and explains to all users what data is stored', async () => {
    mount(stubServices());
    all('.tabs button')[0]?.click();
    await waitUntil(() => all('.reader-links a').length > 0);
    expect(texts('.reader-links button')).not.to.include('Your account');
    expect(all('.reader-links a').map((link) => link.getAttribute('href'))).to.include('/privacy?lang=en');
  });

  it('has no link to the privacy page while offline, and says so', async () => {
    const services = stubServices();
    services.signals.connection.set('offline');
    mount(services);
    all('.tabs button')[0]?.click();
    await waitUntil(() => texts('.reader-links a').includes('What is stored about you (needs a network)'));
    const link = all('.reader-links a').find((each) => each.textContent?.includes('needs a network'));
    expect(link?.hasAttribute('href')).to.equal(false);
    expect(link?.ariaDisabled).to.equal('true');
    services.signals.connection.set('online');
    await waitUntil(() => all('.reader-links a').some((each) => each.getAttribute('href') === '/privacy?lang=en'));
  });

  it('lists the sessions of the user, this session first, whatever was used last', async () => {
    await open();
    expect(texts('.sessions b')).to.deep.equal(['This device', 'Elsewhere', 'Elsewhere']);
    expect(texts('.sessions small')[0]).to.equal('Signed in and in use');
    expect(texts('.sessions small')[1]).to.match(/^Last used: (Today|Yesterday), /);
  });

  it('ends a session, confirms it, and keeps the focus nearby', async () => {
    await open();
    all('.sessions button')[1]?.click();
    await waitUntil(() => rows() === 2);
    expect(account.log).to.include('DELETE /api/me/sessions/phone');
    expect(texts('.account-said')).to.deep.equal(['Signed out there.']);
    expect(focused()).to.equal('Where you are signed in');
  });

  it('treats a session that is already over as ended', async () => {
    await open();
    account.refuse = ['DELETE', problem(404)];
    all('.sessions button')[2]?.click();
    await waitUntil(() => rows() === 2);
    expect(texts('.account-trouble p')).to.deep.equal([]);
  });

  it('ends all other sessions at once', async () => {
    await open();
    press('Sign out everywhere else');
    await waitUntil(() => rows() === 1);
    expect(account.log).to.include('DELETE /api/me/sessions');
    expect(texts('.account-said')).to.deep.equal(['Signed out everywhere else.']);
  });

  it('signs out when the user ends the current session', async () => {
    const services = signedIn();
    await open(services);
    all('.sessions button')[0]?.click();
    await waitUntil(() => all('dialog').length === 0);
    expect(services.calls).to.include('sign out');
    expect(account.log.filter((line) => line.startsWith('DELETE'))).to.deep.equal([]);
  });

  it('names the failed request with its reference, and loses nothing', async () => {
    await open();
    account.refuse = ['DELETE', problem(500)];
    all('.sessions button')[1]?.click();
    await waitUntil(() => all('.account-trouble p').length === 1);
    expect(texts('.account-trouble')[0]).to.equal('The server cannot answer just now. Try again in a moment.Reference: r-42');
    expect(rows()).to.equal(3);
    account.refuse = null;
    all('.sessions button')[1]?.click();
    await waitUntil(() => rows() === 2);
    expect(all('.account-trouble p').length).to.equal(0);
  });

  it('retries when the list could not be loaded', async () => {
    account.refuse = ['GET', new ApiError('No response received', null)];
    await open();
    expect(texts('.account-trouble')[0]).to.equal('No answer came. Check your connection and try again.');
    account.refuse = null;
    press('Try again');
    await waitUntil(() => rows() === 3);
  });

  it('tells the user and the app when the user is no longer signed in', async () => {
    account.refuse = ['GET', problem(401)];
    const services = signedIn();
    await open(services);
    expect(texts('.account-trouble p')[0]).to.equal('You are no longer signed in here.');
    expect(services.calls).to.include('refresh');
  });

  it('copies the stored data', async () => {
    await open();
    const { writeText } = navigator.clipboard;
    const copied: string[] = [];
    navigator.clipboard.writeText = async (text) => void copied.push(text);
    press('Copy it as text');
    await waitUntil(
      () => texts('.account-said')[0] === 'Copied, because Telegram cannot save files. Paste it into a file.',
    ).finally(() => {
      navigator.clipboard.writeText = writeText;
    });
    expect(copied.map((text) => JSON.parse(text))).to.deep.equal([{ stars: [{ post_id: 3 }] }]);
  });

  it('shows the stored data when it may not be copied', async () => {
    const { writeText } = navigator.clipboard;
    navigator.clipboard.writeText = () => Promise.reject(new Error('Not allowed'));
    await open();
    press('Copy it as text');
    await waitUntil(() => all('textarea').length === 1).finally(() => {
      navigator.clipboard.writeText = writeText;
    });
    expect(JSON.parse((all('textarea')[0] as HTMLTextAreaElement).value)).to.deep.equal({ stars: [{ post_id: 3 }] });
  });

  it('asks before it erases, focuses the button that keeps everything, and restores the focus', async () => {
    await open();
    press('Erase everything…');
    await waitUntil(() => texts('dialog h2')[0] === 'Erase everything?');
    expect(focused()).to.equal('Keep everything');
    expect(texts('.account-text').join(' ')).to.contain('It cannot be undone.').and.not.to.contain('operator');
    press('Keep everything');
    await waitUntil(() => texts('dialog h2')[0] === 'Your account');
    expect(focused()).to.equal('Erase everything…');
    expect(account.log).to.deep.equal(['GET /api/me/sessions']);
  });

  it('tells an operator which data remains', async () => {
    await open(signedIn({ ...READER, operator: true }));
    press('Erase everything…');
    await waitUntil(() => texts('.account-text').some((text) => text?.includes('as an operator stays for a year') === true));
  });

  it('erases on the server first, then on the device, and confirms it', async () => {
    const services = signedIn();
    await open(services);
    press('Erase everything…');
    await waitUntil(() => texts('dialog h2')[0] === 'Erase everything?');
    account.refuse = ['DELETE', problem(503)];
    press('Erase everything');
    await waitUntil(() => texts('.account-trouble p').length === 1);
    expect(services.calls).not.to.include('sign out');
    account.refuse = null;
    press('Erase everything');
    await waitUntil(() => document.querySelector('body > dialog[open]') !== null);
    expect(services.calls).to.include('sign out');
    const farewell = document.querySelector<HTMLDialogElement>('body > dialog') as HTMLDialogElement;
    expect(farewell.querySelector('h1')?.textContent).to.equal('Everything is erased');
    expect(document.activeElement?.textContent).to.equal('Close');
    farewell.querySelector('button')?.click();
    await waitUntil(() => document.querySelector('body > dialog') === null);
  });

  it('restores the focus when it closes', async () => {
    await open();
    all('dialog [aria-label=Close]')[0]?.click();
    await waitUntil(() => all('dialog').length === 0);
    expect(focused()).to.equal('You');
  });

  for (const [lang, theme] of [
    ['en', 'light'],
    ['ru', 'light'],
    ['ar', 'dark'],
  ] as const) {
    it(`passes axe, ${lang}, ${theme}`, async () => {
      await open(signedIn({ ...READER, operator: true }), lang, theme);
      await expectNoFault();
      account.refuse = ['DELETE', problem(500)];
      all('.sessions button')[1]?.click();
      await waitUntil(() => all('.account-trouble small').length === 1);
      await expectNoFault();
      all('.account-erase')[0]?.click();
      await waitUntil(() => all('.account-acts').length === 1);
      await expectNoFault();
    });
  }
});

async function expectNoFault(): Promise<void> {
  const { violations } = await axe.run(mounted as HTMLElement, {
    resultTypes: ['violations'],
    rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false }, 'target-size': { enabled: true } },
  });
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().at(-1)}`))).to.deep.equal([]);
}
