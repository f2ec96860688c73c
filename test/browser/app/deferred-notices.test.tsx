// Notices that load late: unsaved changes, rejected changes, storage, ended session and new version.

import { expect, waitUntil } from '@open-wc/testing';
import { createRoot } from 'react-dom/client';
import { createDocumentTitle } from '../../../src/app/shell/document-title.ts';
import { type Environment, ServicesContext } from '../../../src/context/services.ts';
import { DeferredNotices } from '../../../src/features/layout/DeferredNotices.tsx';
import { HomeScreenPrompt } from '../../../src/features/layout/HomeScreenPrompt.tsx';
import { createSignal } from '../../../src/lib/signal.ts';
import { closeDataClients, openDataClient, openMemoryDataClient } from '../data/data-client-fixture.ts';
import { FakeServer } from '../data/fake-server.ts';
import { lockDevice } from '../data/own-device.ts';
import { type StubServices, stubServices } from '../features/dial-services.ts';

/** Mounts the component at once. The layout loads it only when the page is idle. */
function mount(services: StubServices, path: string, newer = createSignal(false)) {
  const confirmations: boolean[] = [];
  const host = { ...services.host, confirmClosing: (confirm: boolean) => void confirmations.push(confirm) };
  const container = document.body.appendChild(document.createElement('div'));
  const root = createRoot(container);
  const show = (currentPath: string) =>
    root.render(
      <ServicesContext value={{ ...services, host, environment: { ...services.environment, updateAvailable: newer } }}>
        <DeferredNotices path={currentPath} />
      </ServicesContext>,
    );
  show(path);
  const end = () => {
    root.unmount();
    container.remove();
  };
  return { confirmations, container, show, end };
}

lockDevice();

describe('DeferredNotices', () => {
  it('asks the host to confirm closing only while there are unsaved changes', async () => {
    const services = stubServices();
    const { confirmations, end } = mount(services, '/main');
    services.signals.saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => String(confirmations) === 'true');
    services.signals.saving.set({ type: 'waiting', count: 2 });
    services.signals.saving.set({ type: 'rejected', changeType: 'lineup', status: 422, discard() {} });
    services.signals.saving.set({ type: 'saved' });
    await waitUntil(() => String(confirmations) === 'true,false');
    services.signals.saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => confirmations.length === 3);
    end();
    await waitUntil(() => String(confirmations) === 'true,false,true,false');
  });

  it('does not ask the host to confirm closing when only read markers are unsaved', async () => {
    const services = stubServices();
    const { confirmations, end } = mount(services, '/main');
    services.signals.saving.set({ type: 'waiting', count: 4 });
    await waitUntil(() => String(confirmations) === 'true');
    services.signals.saving.set({ type: 'waiting', count: 3, onlyReadMarkers: true });
    await waitUntil(() => String(confirmations) === 'true,false');
    services.signals.saving.set({ type: 'rejected', changeType: 'mark', status: 422, discard() {} });
    services.signals.saving.set({ type: 'waiting', count: 1, onlyReadMarkers: true });
    end();
    expect(String(confirmations)).to.equal('true,false');
  });

  it('shows the unread count of the feed in the document title, updates it, and removes it', async () => {
    const services = stubServices({ off: ['7'] });
    const rows = services.signals.lineup.get();
    const pageTitle = document.title;
    const title = createDocumentTitle();
    title.announce('Feed · Harbour network');
    const withTitle = { ...services, environment: { ...services.environment, setUnreadLabel: title.setUnreadLabel } };
    const { end } = mount(withTitle, '/main');
    await waitUntil(() => document.title === '(21) Feed · Harbour network', document.title);
    title.announce('Night Sky · Harbour network');
    expect(document.title).to.equal('(21) Night Sky · Harbour network');
    expect(document.getElementById('changer-said')?.textContent).to.equal('Night Sky · Harbour network');
    if (rows.type !== 'loaded') throw new Error('no line-up');
    const counting = (unread: number) => ({ ...rows, value: rows.value.map((row) => ({ ...row, unread })) });
    services.signals.lineup.set(counting(50));
    await waitUntil(() => document.title.startsWith('(99+) '), document.title);
    services.signals.lineup.set(counting(0));
    await waitUntil(() => document.title === 'Night Sky · Harbour network', document.title);
    services.signals.lineup.set(rows);
    await waitUntil(() => document.title.startsWith('(21) '), document.title);
    end();
    await waitUntil(() => document.title === 'Night Sky · Harbour network', document.title);
    document.getElementById('changer-said')?.remove();
    document.title = pageTitle;
  });

  it('says which change the server rejected and why, and offers to discard it and to send a line-up again', async () => {
    const services = stubServices();
    const { container, show, end } = mount(services, '/main');
    let dropped = 0;
    const refuse = (what: 'lineup' | 'star', status: number) =>
      services.signals.saving.set({ type: 'rejected', changeType: what, status, discard: () => void dropped++ });
    const buttons = () => [...container.querySelectorAll<HTMLButtonElement>('.not-accepted button')];
    refuse('star', 404);
    await waitUntil(() => container.querySelector('[role=alert]') !== null);
    expect(container.querySelector('[role=alert]')?.textContent).to.equal(
      'A star is not saved. Not found. It may have been removed.',
    );
    expect(buttons().map((button) => button.textContent)).to.deep.equal(['OK']);
    buttons()[0]?.click();
    expect(dropped).to.equal(1);
    refuse('lineup', 422);
    await waitUntil(() => buttons().length === 2);
    const alert = container.querySelector('[role=alert]');
    expect(alert?.textContent).to.contain('Your line-up is not saved. The server did not accept this.');
    buttons()[1]?.click();
    await waitUntil(() => container.querySelector('[role=alert]') !== alert, 'the alert is announced again');
    expect(services.calls).to.include('refresh');
    // The dial reports this itself.
    show('/changer');
    await waitUntil(() => buttons().length === 0);
    end();
  });

  it('says when nothing can be stored, links to the self-test, and shows nothing on that page or when storage works', async () => {
    const [memoryClient, persistentClient] = [openMemoryDataClient(new FakeServer()), openDataClient(new FakeServer())];
    const { container, show, end } = mount({ ...stubServices(), dataClient: memoryClient }, '/main');
    await waitUntil(() => container.querySelector('[role=status] a') !== null);
    expect(container.querySelector('[role=status] a')?.textContent).to.equal(
      'Nothing can be saved on this device. Check this app',
    );
    expect(container.querySelector('a')?.getAttribute('href')).to.match(/\/test$/);
    show('/test');
    await waitUntil(() => container.querySelector('[role=status] a') === null);
    end();
    const other = mount({ ...stubServices(), dataClient: persistentClient }, '/main');
    const storage = await persistentClient.context.offline.storage;
    expect(storage.persistent.get()).to.equal(true);
    await storage.reader.put([['thing', () => {}]]);
    await waitUntil(() => other.container.querySelector('[role=status] a') !== null);
    other.end();
    await closeDataClients();
  });

  it('says that the session has ended, that nothing is lost and where to sign in, before it offers a new version', async () => {
    const sessionEnded = createSignal(false);
    const services = stubServices();
    const site = { ...services.environment, botApp: null, sessionEnded };
    const { container, end } = mount({ ...services, environment: site }, '/changer', createSignal(true));
    await waitUntil(() => container.textContent?.startsWith('There is a new version') === true);
    sessionEnded.set(true);
    await waitUntil(() => container.textContent?.startsWith('Your session has ended.') === true);
    expect(container.textContent).to.contain('saved on this device until you sign in');
    // The launch data was rejected, and the address of the app that would provide new launch data is unknown.
    expect(container.textContent).to.contain('Open the app again in Telegram');
    expect([...container.querySelectorAll('a, button')].map((each) => each.ariaLabel)).to.deep.equal(['Not now']);
    sessionEnded.set(false);
    await waitUntil(() => container.textContent?.startsWith('There is a new version') === true);
    end();
    // Only Telegram provides new launch data.
    const telegram = { ...site, botApp: 'https://t.me/a_bot/app' };
    sessionEnded.set(true);
    const other = mount({ ...services, environment: telegram }, '/main');
    await waitUntil(() => other.container.querySelector('a') !== null);
    expect(other.container.querySelector('a')?.href).to.equal('https://t.me/a_bot/app');
    expect(other.container.textContent).not.to.contain('Open the app again');
    other.end();
  });

  it('shows the next notice after the user dismisses the ended session, and shows it again when another session ends', async () => {
    const sessionEnded = createSignal(true);
    const newer = createSignal(false);
    const services = stubServices();
    const { container, end } = mount({ ...services, environment: { ...services.environment, sessionEnded } }, '/main', newer);
    const isEndShown = () => container.textContent?.startsWith('Your session has ended.') === true;
    await waitUntil(isEndShown);
    container.querySelector<HTMLElement>('[aria-label="Not now"]')?.click();
    await waitUntil(() => !isEndShown());
    newer.set(true);
    await waitUntil(() => container.textContent?.startsWith('There is a new version') === true);
    sessionEnded.set(false);
    newer.set(false);
    await waitUntil(() => container.textContent === '');
    sessionEnded.set(true);
    await waitUntil(isEndShown);
    end();
  });

  async function dismisses(overrides: Partial<Environment>, selector: string): Promise<void> {
    const host = document.body.appendChild(document.createElement('div'));
    const shadow = host.attachShadow({ mode: 'open' });
    shadow.innerHTML = '<main><slot></slot></main><div></div>';
    const { environment: site, ...services } = stubServices();
    const root = createRoot(shadow.querySelector('div') as HTMLElement);
    root.render(
      <ServicesContext value={{ ...services, environment: { ...site, ...overrides } }}>
        <DeferredNotices path="/main" />
      </ServicesContext>,
    );
    const button = () => shadow.querySelector<HTMLElement>(selector);
    await waitUntil(() => button() !== null);
    button()?.focus();
    button()?.click();
    await waitUntil(() => button() === null);
    await waitUntil(() => shadow.activeElement?.localName === 'main');
    root.unmount();
    host.remove();
  }

  it('moves the focus to the page when the user dismisses the notice of an ended session', async () => {
    await dismisses({ sessionEnded: createSignal(true) }, '[aria-label="Not now"]');
  });

  it('moves the focus to the page when the user declines a new version', async () => {
    await dismisses({ updateAvailable: createSignal(true) }, '.offer [aria-label="Not now"]');
  });

  it('offers a new version in a status region that is already rendered, until the user declines', async () => {
    const newer = createSignal(false);
    const { container, end } = mount(stubServices(), '/main', newer);
    await waitUntil(() => container.querySelector('[role=status]') !== null);
    const status = container.querySelector('[role=status]');
    expect(status?.textContent).to.equal('');
    newer.set(true);
    await waitUntil(() => status?.textContent?.startsWith('There is a new version') === true);
    const buttons = [...(status?.querySelectorAll('button') ?? [])];
    expect(buttons.map((button) => button.ariaLabel ?? button.textContent)).to.deep.equal(['Reload', 'Not now']);
    buttons[1]?.click();
    await waitUntil(() => status?.textContent === '');
    end();
  });

  it('shows one notice at a time: first a new version, then that nothing can be stored', async () => {
    const newer = createSignal(true);
    const { container, end } = mount({ ...stubServices(), dataClient: openMemoryDataClient(new FakeServer()) }, '/main', newer);
    await waitUntil(() => container.textContent?.startsWith('There is a new version') === true);
    expect(container.querySelectorAll('[role=status]').length).to.equal(1);
    container.querySelector<HTMLElement>('[aria-label="Not now"]')?.click();
    await waitUntil(() => container.textContent?.startsWith('Nothing can be saved') === true);
    expect(container.textContent).not.to.contain('new version');
    end();
    await closeDataClients();
  });
});

describe('HomeScreenHint', () => {
  const LONG_AGO = String(Date.now() - 86_400_000);
  const settled = () => new Promise((resolve) => setTimeout(() => requestAnimationFrame(resolve)));
  let end = () => {};
  beforeEach(() => localStorage.setItem('changer_seen', LONG_AGO));
  afterEach(() => {
    end();
    localStorage.clear();
  });

  function hint(overrides: Partial<StubServices['environment']>, host: Partial<StubServices['host']> = {}): HTMLElement {
    const services = stubServices();
    const container = document.body.appendChild(document.createElement('div'));
    const root = createRoot(container);
    root.render(
      <ServicesContext
        value={{ ...services, host: { ...services.host, ...host }, environment: { ...services.environment, ...overrides } }}
      >
        <HomeScreenPrompt after={0} />
      </ServicesContext>,
    );
    end = () => {
      root.unmount();
      container.remove();
    };
    return container;
  }
  const button = (container: HTMLElement, name: string) =>
    [...container.querySelectorAll('button')].find((each) => each.textContent === name);

  it('uses the install prompt of the browser once, and shows nothing until there is one', async () => {
    let promptCount = 0;
    const install = createSignal<Event | null>(null);
    const container = hint({ installPrompt: install });
    await settled();
    expect(container.textContent).to.equal('');
    const prompt = () => {
      promptCount += 1;
    };
    install.set(Object.assign(new Event('beforeinstallprompt'), { prompt }));
    await waitUntil(() => button(container, 'Add') !== undefined);
    button(container, 'Add')?.click();
    await waitUntil(() => container.textContent === '');
    expect(promptCount).to.equal(1);
    end();
    localStorage.removeItem('changer_home_screen');
    const again = hint({ installPrompt: install });
    await settled();
    expect(again.textContent).to.equal('');
  });

  it('shows no hint on a first visit or after the user declined', async () => {
    const install = createSignal<Event | null>(new Event('beforeinstallprompt'));
    localStorage.setItem('changer_seen', String(Date.now()));
    const first = hint({ installPrompt: install });
    await settled();
    expect(first.textContent).to.equal('');
    end();
    localStorage.setItem('changer_seen', LONG_AGO);
    const second = hint({ installPrompt: install });
    await waitUntil(() => button(second, 'Not now') !== undefined);
    button(second, 'Not now')?.click();
    await waitUntil(() => second.textContent === '');
    end();
    const third = hint({ installPrompt: install });
    await settled();
    expect(third.textContent).to.equal('');
  });

  it('asks Telegram only when Telegram says that the app is not on the home screen', async () => {
    let added = 0;
    for (const isMissing of [false, true]) {
      const add = () => {
        added += 1;
      };
      const homeScreen = { isMissing: async () => isMissing, add };
      const container = hint({}, { kind: 'telegram', homeScreen });
      if (isMissing) {
        await waitUntil(() => button(container, 'Add') !== undefined);
        button(container, 'Add')?.click();
      } else await settled();
      expect(added).to.equal(isMissing ? 1 : 0);
      end();
    }
  });

  it('explains the manual steps when the browser supports them and offers no prompt', async () => {
    Object.defineProperty(navigator, 'standalone', { value: false, configurable: true });
    try {
      const container = hint({});
      await waitUntil(() => container.textContent?.includes('tap Share') === true);
      expect(button(container, 'Add')).to.equal(undefined);
    } finally {
      Reflect.deleteProperty(navigator, 'standalone');
    }
  });
});
