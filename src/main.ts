/*
 * The app's entry and composition root. The order of start-up is SPEC's: internationalisation, the API client, brand colours,
 * then mount. A step that fails is logged, and the app goes on without what it gives.
 */
import { createApi } from './api/api.ts';
import { type Client, createClient } from './api/client.ts';
import { ApiError } from './api/errors.ts';
import { createSession } from './api/session.ts';
import { createHost } from './host/create.ts';
import { english, loadMessages, pickLocale } from './i18n/i18n.ts';
import type { Services, Site } from './pages/services.ts';
import { createReader } from './reader.ts';
import { applyBrand, readBrand } from './shell/brand.ts';
import { chosenLocale, speak } from './shell/locale.ts';
import { startOffline } from './shell/offline.ts';
import { likelyTag, pathOfStartParam } from './shell/routes.ts';
import { createShell } from './shell/shell.ts';
import { step } from './shell/start-up.ts';
import { followContainer } from './shell/theme.ts';

/** Put in place by the build: the API's origin, '' for our own. */
declare const __API_URL__: string;

/** The tags of the app, each a chunk of its own. */
const TAGS: Readonly<Record<string, () => Promise<unknown>>> = {
  'changer-layout': () => import('../elements/changer-layout.ts'),
  'changer-feed': () => import('../elements/changer-feed.ts'),
  'changer-channel': () => import('../elements/changer-channel.ts'),
  'changer-dial': () => import('../elements/changer-dial.ts'),
  'changer-self-test': () => import('../elements/changer-self-test.ts'),
  'changer-close-webapp': () => import('../elements/changer-close-webapp.ts'),
  'changer-not-found': () => import('../elements/changer-not-found.ts'),
};

const load = (tag: string): Promise<unknown> => TAGS[tag]?.() ?? Promise.reject(new Error(`No element is called ${tag}`));

async function start(root: HTMLElement): Promise<void> {
  const host = createHost();
  // What the first page needs loads beside the steps; if it fails, the navigation says so.
  const first = likelyTag(pathOfStartParam(host.startParam()) ?? location.pathname);
  for (const tag of ['changer-layout', first]) load(tag).catch(() => {});

  let messages = await step(() => loadMessages(firstLocale(host.language())), english);
  speak(messages);
  const session = createSession();
  const client = await step(() => createClient({ baseUrl: __API_URL__, session }), NO_CLIENT);
  const brand = readBrand();
  await step(() => applyBrand(brand), undefined);

  const reader = createReader({ api: createApi(client), client, session, host, changed: () => changed() });
  const site: Site = {
    base: '',
    embedded: false,
    brandName: brand.name,
    botApp: brand.botApp,
    navigate: (path, options) => shell.navigate(path, options),
    setTitle: (title) => shell.setTitle(title),
    async setLocale(locale) {
      chosenLocale.write(locale);
      messages = await loadMessages(pickLocale([locale]));
      speak(messages);
      shell.update();
    },
    signOut: () => reader.signOut(),
  };
  let services: Services = { channels: reader.channels(), host, site };
  const shell = createShell({
    root,
    host,
    brandName: brand.name,
    load,
    guard: reader.guard,
    given: () => ({ services, locale: messages.locale, scheme: host.theme.get().scheme }),
    messages: () => messages,
  });
  const changed = () => {
    services = { channels: reader.channels(), host, site };
    shell.restart();
  };
  followContainer(host, shell.update);
  shell.mount();
}

const firstLocale = (launched: string | null) => pickLocale([chosenLocale.read(), launched, ...navigator.languages]);

/** Stands in where the client could not be made: the app shows what is kept on the device. */
const NO_CLIENT: Client = {
  get: () => Promise.reject(new ApiError('No response received', null)),
  write: () => Promise.reject(new ApiError('No response received', null)),
  forget() {},
};

function afterLoad(run: () => void): void {
  if (document.readyState === 'complete') run();
  else window.addEventListener('load', run, { once: true });
}

const root = document.getElementById('q-app');
if (root === null) throw new Error('The page has no #q-app to mount into.');
void start(root);
afterLoad(() => void startOffline());
