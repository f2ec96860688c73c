/* Diagnostic checks of the device: service worker, caches, storage, offline reading. */
import { checkOffline } from '../../../data/clients/offline-check.ts';
import { type Messages, str } from '../../../i18n/i18n.ts';
import { probeReaderStorage, probeStorage } from '../../../storage/probe.ts';
import type { Check, CheckFinding } from '../check.ts';

/** Service worker check. A worker is optional: Telegram for iOS has none. */
export const workerCheck: Check = {
  id: 'worker',
  group: 'device',
  title: ({ msg }) => msg('Service worker'),
  async run({ services: { environment }, m: { msg } }) {
    if (environment.embedded) return { result: 'n/a', detail: msg('Another site’s page: its worker is its own.') };
    if (!('serviceWorker' in navigator))
      return { result: 'n/a', detail: msg('This container has none. Saved posts can still be read.') };
    const registration = await navigator.serviceWorker.getRegistration();
    if (registration === undefined) {
      return { result: 'warn', detail: msg('Not registered.'), remedy: msg('Reload the page once while online.') };
    }
    const isControlling = navigator.serviceWorker.controller !== null;
    const detail = [
      msg(str`registered: ${registration.active?.state ?? registration.installing?.state ?? '–'}`),
      isControlling ? msg('controls this page') : msg('does not control this page'),
      registration.waiting === null ? msg('no update is waiting') : msg('an update is waiting'),
    ].join(' · ');
    if (!isControlling) return { result: 'warn', detail, remedy: msg('Reload the page: the app then opens offline too.') };
    return registration.waiting === null
      ? { result: 'pass', detail }
      : { result: 'warn', detail, remedy: msg('Reload the page.') };
  },
};

/**
 * Checks the caches of the app's files, and counts their entries. Each page load replaces an entry with a fresh copy.
 */
export const cachesCheck: Check = {
  id: 'caches',
  group: 'device',
  title: ({ msg }) => msg('Caches'),
  async run({ services: { environment }, m: { msg, number } }) {
    if (environment.embedded || !('caches' in window)) return { result: 'n/a', detail: msg('None here.') };
    const names = await caches.keys();
    const entryCounts = await Promise.all(
      names.map(async (name) => `${name}: ${number((await (await caches.open(name)).keys()).length)}`),
    );
    if (names.length === 0)
      return { result: 'warn', detail: msg('Empty.'), remedy: msg('Reload once while online; the app then opens offline.') };
    const unknownNames = names.filter((name) => !name.startsWith('changer-'));
    if (unknownNames.length === 0) return { result: 'pass', detail: entryCounts.join(' · ') };
    return {
      result: 'warn',
      detail: entryCounts.join(' · '),
      remedy: msg('One is not from this app. The next load deletes it.'),
    };
  },
};

/** Checks each kind of storage: writes, reads and removes a value. */
export const storageCheck: Check = {
  id: 'storage',
  group: 'device',
  title: ({ msg }) => msg('Storage'),
  async run({ services: { host, environment }, m }): Promise<CheckFinding> {
    const { msg } = m;
    if (environment.embedded) return { result: 'n/a', detail: msg('Another site’s page: nothing is saved there.') };
    const works = {
      session: probeWebStorage(() => sessionStorage),
      local: probeWebStorage(() => localStorage),
      database: await probeStorage().catch(() => false),
    };
    const symbol = (ok: boolean) => (ok ? '✓' : '✗');
    const detail = `session ${symbol(works.session)} · local ${symbol(works.local)} · IndexedDB ${symbol(works.database)} · ${await storageUsageText(m)}`;
    if (works.database && !(await probeReaderStorage(host.readerId())))
      return {
        result: 'fail',
        detail,
        remedy: msg('The data saved here is damaged or in use elsewhere. Close the app’s other tabs, or repair and reset below.'),
      };
    if (works.session && works.local && works.database) return { result: 'pass', detail };
    const remedy = msg(
      'The browser refuses storage here (a private window, or blocked for embedded pages): nothing can be saved for offline.',
    );
    return { result: works.database ? 'warn' : 'fail', detail, remedy };
  },
};

/** Returns true if the storage works: writes, reads and removes a value. */
function probeWebStorage(getStorage: () => Storage): boolean {
  const key = 'changer-probe';
  try {
    const storage = getStorage();
    storage.setItem(key, '1');
    const isStored = storage.getItem(key) === '1';
    storage.removeItem(key);
    return isStored;
  } catch {
    return false;
  }
}

/** Returns the used and the available storage, and whether the browser guarantees persistence. */
async function storageUsageText(m: Messages): Promise<string> {
  if (navigator.storage?.estimate === undefined) return '–';
  const { usage = 0, quota = 0 } = await navigator.storage.estimate();
  const persisted =
    (await navigator.storage.persisted?.()) === true ? m.msg('stored permanently') : m.msg('the browser may clear it');
  return m.msg(str`${megabytes(m, usage)} of ${megabytes(m, quota)} used; ${persisted}`);
}

const BYTES_PER_MEGABYTE = 1024 ** 2;

/** Formats bytes in megabytes, with one decimal below 10 MB. */
const megabytes = ({ locale }: Messages, bytes: number): string =>
  new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'megabyte',
    maximumFractionDigits: bytes < 10 * BYTES_PER_MEGABYTE ? 1 : 0,
  }).format(bytes / BYTES_PER_MEGABYTE);

/** Checks that a post can be read from this device as if there were no network. */
export const offlineReadingCheck: Check = {
  id: 'offline',
  group: 'device',
  title: ({ msg }) => msg('Reading without a network'),
  async run({ services: { host, environment }, m: { msg } }) {
    if (environment.embedded) return { result: 'n/a', detail: msg('Another site’s page: nothing is saved there.') };
    const found = await checkOffline(host.readerId());
    if (found.type === 'post')
      return { result: 'pass', detail: msg(str`With every request refused, a post of ${found.channel} was read.`) };
    const detail = found.type === 'channels' ? msg('Channels are saved, but no posts.') : msg('Nothing is saved on this device.');
    return { result: 'warn', detail, remedy: msg('Open the feed once while online.') };
  },
};
