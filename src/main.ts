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
import { type AppBrand, applyBrand, readBrand } from './app/brand.ts';
import { PRERENDERED_ID } from './app/inline/prerendered.ts';
import { watchInstallPrompt } from './app/install-prompt.ts';
import { applyDocumentLanguage, chosenLocale, initialLocale } from './app/locale-preference.ts';
import { guessTag, LAYOUT_TAG, startParamPath } from './app/router/routes.ts';
import type { UserSession } from './app/session/user-session.ts';
import { createShell, type Shell } from './app/shell/app-shell.ts';
import { runStep } from './app/start.ts';
import type { AppServices, Environment } from './context/services.ts';
import type { DataClientControl } from './data/clients/account-client.ts';
import { createPendingClient } from './data/clients/pending-client.ts';
import type { LiveUpdatesOptions } from './data/live/live-updates.ts';
import { english, loadMessages, type Messages } from './i18n/i18n.ts';
import { pickLocale } from './i18n/locale.ts';
import { createSignal } from './lib/signal.ts';
import { whenLoaded } from './lib/when-loaded.ts';
import { createInertHost, detectHost } from './platform/detect.ts';
import type { AppHost } from './platform/platform.ts';
import type { Appearance } from './theme/appearance.ts';

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
  'changer-notifications': () => import('../elements/changer-notifications.ts'),
  'changer-close-webapp': () => import('../elements/changer-close-webapp.ts'),
  'changer-not-found': () => import('../elements/changer-not-found.ts'),
};

/**
 * Delay between the creation of the data layer and the loading of live updates, ms. By then the first posts are
 * rendered, and their media is loading.
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
  const detected = runStep(detectHost, null);
  // The first page's code loads in parallel to the steps. If that fails, the navigation reports it.
  const sessionModule = import('./app/session/user-session.ts');
  for (const promise of [sessionModule, loadElement(LAYOUT_TAG)]) promise.catch(() => {});
  const host = (await detected) ?? createInertHost();
  const appearance = createAppearance(host.kind);
  preloadFor(host);

  const language = await createLanguage(host, () => shell.update());
  const tokenStorage = createTokenStorage();
  const hydration = readHydration();
  const client = await runStep(
    () => withHydration(createHttpClient({ baseUrl: __API_URL__, tokenStorage }), hydration),
    UNREACHABLE_CLIENT,
  );
  const brand = readBrand();
  await runStep(() => applyBrand(brand), undefined);

  const session = sessionModule.then(({ createUserSession }) =>
    createUserSession({
      client,
      tokenStorage,
      host,
      onClientChanged(dataClient) {
        setDataClient(dataClient);
        shell.restart();
      },
      sessionEnded,
    }),
  );
  let backgroundSound: BackgroundSound = createSignal(null);
  const environment = createEnvironment({
    brand,
    appearance,
    client,
    session,
    setLocale: language.set,
    shell: () => shell,
    backgroundSound: () => backgroundSound,
  });
  let services: AppServices = { dataClient: createPendingClient(host.readerId()), host, environment };
  const setDataClient = (dataClient: DataClientControl) => {
    // The sound that plays belongs to the previous reader: it ends for the next one.
    backgroundSound = createSignal(null);
    services = { dataClient, host, environment };
    const loadedAt = hydration.at ?? performance.timeOrigin;
    scheduleLiveUpdates(dataClient, { baseUrl: __API_URL__, tokenStorage, client, pageStartedAt: loadedAt });
  };
  const shell = createShell({
    root,
    host,
    brandName: brand.name,
    // The frame is shown at once. A page waits for the data layer as well.
    load: (tag) => (tag === LAYOUT_TAG ? loadElement(tag) : Promise.all([loadElement(tag), session])),
    guard: async () => (await session).guard(),
    outletProps: () => ({
      services,
      locale: language.messages().locale,
      scheme: appearance.theme.get() ?? host.theme.get().scheme,
    }),
    messages: language.messages,
  });
  session.then(
    (userSession) => {
      setDataClient(userSession.dataClient());
      shell.update();
    },
    (error: unknown) => console.error(error),
  );
  scheduleSnapshots(root, session);
  host.applyDocumentTheme(appearance.theme);
  for (const theme of [host.theme, appearance.theme]) theme.subscribe(shell.update);
  shell.mount();
}

/** Preloads the chunks that the first page of this launch needs. */
function preloadFor(host: AppHost): void {
  if (host.readerId() !== null) import('./data/clients/account-client.ts').catch(() => {});
  loadElement(guessTag(startParamPath(host.startParam()) ?? location.pathname)).catch(() => {});
}

interface Language {
  readonly messages: () => Messages;
  /** Sets the language that the reader chose. */
  set(locale: string): Promise<void>;
}

/** Loads the initial language. `onChanged` is called after the reader has chosen another. */
async function createLanguage(host: AppHost, onChanged: () => void): Promise<Language> {
  let messages = await runStep(() => loadMessages(initialLocale(host.language())), english);
  applyDocumentLanguage(messages);
  return {
    messages: () => messages,
    async set(locale) {
      chosenLocale.write(locale);
      messages = await loadMessages(pickLocale([locale]));
      applyDocumentLanguage(messages);
      onChanged();
    },
  };
}

type BackgroundSound = NonNullable<Environment['backgroundSound']>;

interface EnvironmentOptions {
  readonly brand: AppBrand;
  readonly appearance: Appearance;
  readonly client: HttpClient;
  readonly session: Promise<UserSession>;
  readonly setLocale: Language['set'];
  /** Returns the shell, which is created after the environment. */
  readonly shell: () => Shell;
  /** Returns the background sound of the current reader. */
  readonly backgroundSound: () => BackgroundSound;
}

/** Creates the environment of the pages. All readers of this page load share the same object. */
function createEnvironment(options: EnvironmentOptions): Environment {
  const { brand, appearance, client, session, setLocale, shell, backgroundSound } = options;
  return {
    baseUrl: '',
    embedded: false,
    prerenderedRoot: () => document.getElementById(PRERENDERED_ID)?.firstElementChild?.shadowRoot ?? null,
    brandName: brand.name,
    botApp: brand.botApp,
    updateAvailable,
    appearance,
    navigate: (path, navigateOptions) => shell().navigate(path, navigateOptions),
    back: (fallback) => shell().back(fallback),
    installPrompt: watchInstallPrompt(),
    setTitle: (title) => shell().setTitle(title),
    get backgroundSound() {
      return backgroundSound();
    },
    setUnreadLabel: (label) => shell().setUnreadLabel(label),
    setLocale,
    showOfflineImage: async (image) => {
      const { showOfflineImage } = await import('./data/offline/offline-image.ts');
      return showOfflineImage((await session).dataClient().context.offline, image);
    },
    sessionEnded,
    signOut: async () => (await session).signOut(),
    loadOperatorApi: async () => (await import('./api/operator-api.ts')).createOperatorApi(client),
    loadFeedsApi: async () => (await import('./api/feeds-api.ts')).createFeedsApi(client),
    httpClient: client,
  };
}

/**
 * Loads live updates, and two chunks that show posts while the network fails, after the first posts are rendered.
 * Without live updates, pages are refetched when they are opened.
 */
function scheduleLiveUpdates(dataClient: DataClientControl, options: Omit<LiveUpdatesOptions, 'View'>): void {
  const startLiveUpdates = async () => (await import('./app/live-chunk.ts')).startLive(dataClient, options);
  const loadAll = () =>
    Promise.all([startLiveUpdates(), import('./data/queries/starred-posts.ts'), import('./data/offline/cached-posts.ts')]);
  setTimeout(() => loadAll().catch(() => {}), LIVE_DELAY_MS);
}

/** Loads the chunk that stores snapshots of the pages, after the first posts are rendered. */
function scheduleSnapshots(root: HTMLElement, session: Promise<UserSession>): void {
  const startSnapshots = async () => {
    const [{ startPageSnapshots }, { reader }] = await Promise.all([import('./app/snapshot/page-snapshots.ts'), session]);
    startPageSnapshots(root, reader);
  };
  setTimeout(() => startSnapshots().catch(() => {}), LIVE_DELAY_MS);
}

const rejectUnreachable = (): Promise<never> => Promise.reject(new ApiError('No response received', null));
/** Fallback if the client could not be created: the app shows the data that is stored on the device. */
const UNREACHABLE_CLIENT: HttpClient = {
  get: rejectUnreachable,
  write: rejectUnreachable,
  clearCache() {},
};

const root = document.getElementById('q-app');
if (root === null) throw new Error('No #q-app');
void start(root);
void whenLoaded().then(() =>
  runStep(
    async () => (await import('./app/service-worker/registration.ts')).registerServiceWorker(updateAvailable, loadPages),
    undefined,
  ),
);
