/*
 * Entry point and composition root of the app. The start-up order follows specification 4.6: internationalisation, API
 * client, brand colours, mount. A step that fails is logged, and the app continues without its result.
 */

import { ApiError } from './api/api-error.ts';
import { createHttpClient } from './api/client.ts';
import { readHydration, withHydration } from './api/hydration.ts';
import { createTokenStorage } from './api/token-storage.ts';
import type { HttpClient } from './api/types.ts';
import { createAppearance } from './app/appearance-preference.ts';
import { applyBrand, readBrand } from './app/brand.ts';
import { watchInstallPrompt } from './app/environment.ts';
import { applyDocumentLanguage, chosenLocale } from './app/locale-preference.ts';
import { guessTag, LAYOUT_TAG, startParamPath } from './app/router/routes.ts';
import { createShell } from './app/shell/app-shell.ts';
import { runStep } from './app/start.ts';
import type { AppServices, Environment } from './context/services.ts';
import type { DataClientControl } from './data/clients/account-client.ts';
import { createPendingClient } from './data/clients/pending-client.ts';
import { english, loadMessages } from './i18n/i18n.ts';
import { pickLocale } from './i18n/locale.ts';
import { createSignal } from './lib/signal.ts';
import { createInertHost, detectHost } from './platform/detect.ts';

/** Defined by the build: the API's origin, '' for our own. */
declare const __API_URL__: string;

/** The custom elements of the app, each a separate chunk. */
const ELEMENT_LOADERS: Readonly<Record<string, () => Promise<unknown>>> = {
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
const LIVE_DELAY_MS = 2500;

const updateAvailable = createSignal(false);
const sessionEnded = createSignal(false);

const loadElement = (tag: string): Promise<unknown> => ELEMENT_LOADERS[tag]?.() ?? Promise.reject(new Error(`No ${tag}`));

/** Loads the chunks of all pages. */
async function loadPages(): Promise<void> {
  await Promise.all(Object.keys(ELEMENT_LOADERS).map(loadElement));
}

async function start(root: HTMLElement): Promise<void> {
  const launched = runStep(detectHost, null);
  // The first page's code loads in parallel to the steps. If that fails, the navigation reports it.
  const dataArea = import('./app/session/user-session.ts');
  for (const loading of [dataArea, loadElement(LAYOUT_TAG)]) loading.catch(() => {});
  const host = (await launched) ?? createInertHost();
  const appearance = createAppearance(host.kind);
  if (host.readerId() !== null) import('./data/clients/account-client.ts').catch(() => {});
  loadElement(guessTag(startParamPath(host.startParam()) ?? location.pathname)).catch(() => {});

  let messages = await runStep(() => loadMessages(initialLocale(host.language())), english);
  applyDocumentLanguage(messages);
  const session = createTokenStorage();
  const given = readHydration();
  const client = await runStep(
    () => withHydration(createHttpClient({ baseUrl: __API_URL__, tokenStorage: session }), given),
    UNREACHABLE_CLIENT,
  );
  const brand = readBrand();
  await runStep(() => applyBrand(brand), undefined);

  const changed = (channels: DataClientControl) => {
    use(channels);
    shell.restart();
  };
  const reader = dataArea.then(({ createUserSession: createReader }) =>
    createReader({ client, tokenStorage: session, host, onClientChanged: changed, ended: sessionEnded }),
  );
  let sound: NonNullable<Environment['backgroundSound']> = createSignal(null);
  const site: Environment = {
    baseUrl: '',
    embedded: false,
    brandName: brand.name,
    botApp: brand.botApp,
    updateAvailable: updateAvailable,
    appearance,
    navigate: (path, options) => shell.navigate(path, options),
    back: (otherwise) => shell.back(otherwise),
    installPrompt: watchInstallPrompt(),
    setTitle: (title) => shell.setTitle(title),
    get backgroundSound() {
      return sound;
    },
    setUnreadLabel: (label) => shell.setUnreadLabel(label),
    async setLocale(locale) {
      chosenLocale.write(locale);
      messages = await loadMessages(pickLocale([locale]));
      applyDocumentLanguage(messages);
      shell.update();
    },
    showOfflineImage: async (image) => {
      const { showOfflineImage: showKept } = await import('./data/offline/offline-image.ts');
      return showKept((await reader).dataClient().context.offline, image);
    },
    sessionEnded: sessionEnded,
    signOut: async () => (await reader).signOut(),
    loadOperatorApi: async () => (await import('./api/operator-api.ts')).createOperatorApi(client),
    loadFeedsApi: async () => (await import('./api/feeds-api.ts')).createFeedsApi(client),
    httpClient: client,
  };
  let services: AppServices = { dataClient: createPendingClient(host.readerId()), host, environment: site };
  const use = (channels: DataClientControl) => {
    // The sound that plays belongs to the previous reader: it ends for the next one.
    sound = createSignal(null);
    services = { dataClient: channels, host, environment: site };
    const follow = () =>
      import('./app/live-chunk.ts').then(({ startLive: live }) =>
        live(channels, { baseUrl: __API_URL__, tokenStorage: session, client, at: given.at ?? performance.timeOrigin }),
      );
    // Without live updates, pages are refetched when they are opened. The other two chunks show posts when the network has
    // failed.
    const later = () =>
      Promise.all([follow(), import('./data/queries/starred-posts.ts'), import('./data/offline/cached-posts.ts')]);
    setTimeout(() => later().catch(() => {}), LIVE_DELAY_MS);
  };
  const shell = createShell({
    root,
    host,
    brandName: brand.name,
    // The frame is shown at once. A page waits for the data layer as well.
    load: (tag) => (tag === LAYOUT_TAG ? loadElement(tag) : Promise.all([loadElement(tag), reader])),
    guard: async () => (await reader).guard(),
    outletProps: () => ({ services, locale: messages.locale, scheme: appearance.theme.get() ?? host.theme.get().scheme }),
    messages: () => messages,
  });
  reader.then(
    (made) => {
      use(made.dataClient());
      shell.update();
    },
    (error: unknown) => console.error(error),
  );
  host.applyDocumentTheme(appearance.theme);
  for (const theme of [host.theme, appearance.theme]) theme.subscribe(shell.update);
  shell.mount();
}

const initialLocale = (launched: string | null) => pickLocale([chosenLocale.read(), launched, ...navigator.languages]);

/** Fallback if the client could not be created: the app shows the data that is stored on the device. */
const rejectUnreachable = (): Promise<never> => Promise.reject(new ApiError('No response received', null));
const UNREACHABLE_CLIENT: HttpClient = {
  get: rejectUnreachable,
  write: rejectUnreachable,
  clearCache() {},
};

const root = document.getElementById('q-app');
if (root === null) throw new Error('No #q-app');
void start(root);
// A module script delays the load event, so it has not fired yet.
window.addEventListener('load', () =>
  runStep(
    async () => (await import('./app/service-worker/registration.ts')).registerServiceWorker(updateAvailable, loadPages),
    undefined,
  ),
);
