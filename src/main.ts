/*
 * Entry point and composition root of the app. The start-up order follows specification 4.6: internationalisation, API
 * client, brand colours, mount. A step that fails is logged, and the app continues without its result.
 */

import { ApiError } from './api/api-error.ts';
import { createClient } from './api/client.ts';
import { readGiven, withGiven } from './api/hydration.ts';
import { createSession } from './api/token-storage.ts';
import type { Client } from './api/types.ts';
import { createAppearance } from './app/appearance-preference.ts';
import { applyBrand, readBrand } from './app/brand.ts';
import { watchInstall } from './app/environment.ts';
import { chosenLocale, speak } from './app/locale-preference.ts';
import { LAYOUT_TAG, likelyTag, pathOfStartParam } from './app/router/routes.ts';
import { createShell } from './app/shell/app-shell.ts';
import { step } from './app/start.ts';
import type { Services, Site } from './context/services.ts';
import type { ChannelsArea } from './data/clients/account-client.ts';
import { createWaiting } from './data/clients/pending-client.ts';
import { english, loadMessages } from './i18n/i18n.ts';
import { pickLocale } from './i18n/locale.ts';
import { createCell } from './lib/signal.ts';
import { createHost, createInertHost } from './platform/detect.ts';

/** Defined by the build: the API's origin, '' for our own. */
declare const __API_URL__: string;

/** The custom elements of the app, each a separate chunk. */
const TAGS: Readonly<Record<string, () => Promise<unknown>>> = {
  'changer-layout': () => import('../elements/changer-layout.ts'),
  'changer-feed': () => import('../elements/changer-feed.ts'),
  'changer-channel': () => import('../elements/changer-channel.ts'),
  'changer-search': () => import('../elements/changer-search.ts'),
  'changer-dial': () => import('../elements/changer-dial.ts'),
  'changer-self-test': () => import('../elements/changer-self-test.ts'),
  'changer-close-webapp': () => import('../elements/changer-close-webapp.ts'),
  'changer-not-found': () => import('../elements/changer-not-found.ts'),
};

/**
 * Delay between the creation of the data layer and the loading of live updates, ms. By then the first posts are rendered, and
 * their media is loading.
 */
const CALM = 2500;

const newer = createCell(false);
const ended = createCell(false);

const load = (tag: string): Promise<unknown> => TAGS[tag]?.() ?? Promise.reject(new Error(`No ${tag}`));

/** Loads the chunks of all pages. */
async function loadPages(): Promise<void> {
  await Promise.all(Object.keys(TAGS).map(load));
}

async function start(root: HTMLElement): Promise<void> {
  const launched = step(createHost, null);
  // The first page's code loads in parallel to the steps. If that fails, the navigation reports it.
  const dataArea = import('./app/session/user-session.ts');
  for (const loading of [dataArea, load(LAYOUT_TAG)]) loading.catch(() => {});
  const host = (await launched) ?? createInertHost();
  const appearance = createAppearance(host.kind);
  if (host.readerId() !== null) import('./data/clients/account-client.ts').catch(() => {});
  load(likelyTag(pathOfStartParam(host.startParam()) ?? location.pathname)).catch(() => {});

  let messages = await step(() => loadMessages(firstLocale(host.language())), english);
  speak(messages);
  const session = createSession();
  const given = readGiven();
  const client = await step(() => withGiven(createClient({ baseUrl: __API_URL__, session }), given), NO_CLIENT);
  const brand = readBrand();
  await step(() => applyBrand(brand), undefined);

  const changed = (channels: ChannelsArea) => {
    use(channels);
    shell.restart();
  };
  const reader = dataArea.then(({ createReader }) => createReader({ client, session, host, changed, ended }));
  let sound: NonNullable<Site['sound']> = createCell(null);
  const site: Site = {
    base: '',
    embedded: false,
    brandName: brand.name,
    botApp: brand.botApp,
    newer,
    appearance,
    navigate: (path, options) => shell.navigate(path, options),
    back: (otherwise) => shell.back(otherwise),
    install: watchInstall(),
    setTitle: (title) => shell.setTitle(title),
    get sound() {
      return sound;
    },
    setUnread: (label) => shell.setUnread(label),
    async setLocale(locale) {
      chosenLocale.write(locale);
      messages = await loadMessages(pickLocale([locale]));
      speak(messages);
      shell.update();
    },
    showKept: async (image) => {
      const { showKept } = await import('./data/offline/offline-image.ts');
      return showKept((await reader).channels().inside.device, image);
    },
    sessionEnded: ended,
    signOut: async () => (await reader).signOut(),
    operator: async () => (await import('./api/operator-api.ts')).createOperatorApi(client),
    feeds: async () => (await import('./api/feeds-api.ts')).createFeedsApi(client),
    client,
  };
  let services: Services = { channels: createWaiting(host.readerId()), host, site };
  const use = (channels: ChannelsArea) => {
    // The sound that plays belongs to the previous reader: it ends for the next one.
    sound = createCell(null);
    services = { channels, host, site };
    const follow = () =>
      import('./app/live-chunk.ts').then(({ live }) =>
        live(channels, { baseUrl: __API_URL__, session, client, at: given.at ?? performance.timeOrigin }),
      );
    // Without live updates, pages are refetched when they are opened. The other two chunks show posts when the network has
    // failed.
    const later = () =>
      Promise.all([follow(), import('./data/queries/starred-posts.ts'), import('./data/offline/cached-posts.ts')]);
    setTimeout(() => later().catch(() => {}), CALM);
  };
  const shell = createShell({
    root,
    host,
    brandName: brand.name,
    // The frame is shown at once. A page waits for the data layer as well.
    load: (tag) => (tag === LAYOUT_TAG ? load(tag) : Promise.all([load(tag), reader])),
    guard: async () => (await reader).guard(),
    given: () => ({ services, locale: messages.locale, scheme: appearance.theme.get() ?? host.theme.get().scheme }),
    messages: () => messages,
  });
  reader.then(
    (made) => {
      use(made.channels());
      shell.update();
    },
    (error: unknown) => console.error(error),
  );
  host.dressDocument(appearance.theme);
  for (const theme of [host.theme, appearance.theme]) theme.subscribe(shell.update);
  shell.mount();
}

const firstLocale = (launched: string | null) => pickLocale([chosenLocale.read(), launched, ...navigator.languages]);

/** Fallback if the client could not be created: the app shows the data that is stored on the device. */
const refuse = (): Promise<never> => Promise.reject(new ApiError('No response received', null));
const NO_CLIENT: Client = {
  get: refuse,
  write: refuse,
  forget() {},
};

const root = document.getElementById('q-app');
if (root === null) throw new Error('No #q-app');
void start(root);
// A module script delays the load event, so it has not fired yet.
window.addEventListener('load', () =>
  step(async () => (await import('./app/service-worker/registration.ts')).startOffline(newer, loadPages), undefined),
);
