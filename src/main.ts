/*
 * The app's entry and composition root. Start-up follows specification 4.6: internationalisation, the API client, brand colours,
 * then mount. A step that fails is logged, and the app goes on without what it gives.
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

/** Put in place by the build: the API's origin, '' for our own. */
declare const __API_URL__: string;

/** The tags of the app, each a chunk of its own. */
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

/** From the data area to what follows the server's events, ms: the first posts stand, and what they show is on its way. */
const CALM = 2500;

const newer = createCell(false);
const ended = createCell(false);

const load = (tag: string): Promise<unknown> => TAGS[tag]?.() ?? Promise.reject(new Error(`No ${tag}`));

/** Loads every page. */
async function loadPages(): Promise<void> {
  await Promise.all(Object.keys(TAGS).map(load));
}

async function start(root: HTMLElement): Promise<void> {
  const launched = step(createHost, null);
  // What the first page needs loads beside the steps; if it fails, the navigation says so.
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
    // The next reader does not hear the sound of the former one.
    sound = createCell(null);
    services = { channels, host, site };
    const follow = () =>
      import('./app/live-chunk.ts').then(({ live }) =>
        live(channels, { baseUrl: __API_URL__, session, client, at: given.at ?? performance.timeOrigin }),
      );
    // Without the first, pages are read anew when they are opened; the others show posts when the network has gone.
    const later = () =>
      Promise.all([follow(), import('./data/queries/starred-posts.ts'), import('./data/offline/cached-posts.ts')]);
    setTimeout(() => later().catch(() => {}), CALM);
  };
  const shell = createShell({
    root,
    host,
    brandName: brand.name,
    // The frame shows at once; a page without data is none.
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

/** Stands in where the client could not be made: the app shows what is kept on the device. */
const refuse = (): Promise<never> => Promise.reject(new ApiError('No response received', null));
const NO_CLIENT: Client = {
  get: refuse,
  write: refuse,
  forget() {},
};

const root = document.getElementById('q-app');
if (root === null) throw new Error('No #q-app');
void start(root);
// A module script holds up the load event, so it has not been yet.
window.addEventListener('load', () =>
  step(async () => (await import('./app/service-worker/registration.ts')).startOffline(newer, loadPages), undefined),
);
