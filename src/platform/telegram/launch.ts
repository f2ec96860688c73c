// Launch parameters of a Telegram mini-app: parsing, removal from the URL, and storage for a reload.

import { parseLaunchData } from '../../../contract/launch-data.ts';
import { replaceAddress, writeHistoryState } from '../../lib/history-state.ts';
import { LAUNCH_KEY } from '../../lib/storage-keys.ts';
import type { LaunchInfo } from '../platform.ts';
import { LAUNCH_DATA_PARAM, LAUNCH_PARAM_PREFIX, readStoredLaunch } from './launch-storage.ts';

/** Launch parameters from Telegram. */
export interface Launch {
  readonly params: URLSearchParams;
  /** True for a load that the container started, false for a reload with stored parameters. */
  readonly fresh: boolean;
}

export const VERSION_PARAM = 'tgWebAppVersion';
const START_PARAM = 'tgWebAppStartParam';

/**
 * Reads the launch parameters from the URL, or else those that an earlier load of this tab stored. Stores them and
 * removes them from the URL, so that they are neither shared with a link nor mistaken for an anchor in the page.
 * Outside Telegram (`isInTelegram` is false), launch data is only removed, and nothing is stored. Launch data is
 * accepted only in the hash, where Telegram puts it.
 */
export function readLaunch(isInTelegram: boolean): Launch {
  const found = extractLaunchParams();
  if (!isInTelegram) {
    found.delete(LAUNCH_DATA_PARAM);
    return { params: found, fresh: true };
  }
  if (!found.has(VERSION_PARAM) && !found.has(LAUNCH_DATA_PARAM)) {
    const params = new URLSearchParams(readStoredLaunch());
    for (const [name, value] of found) params.set(name, value);
    return { params, fresh: found.has(START_PARAM) };
  }
  storeLaunch(found);
  return { params: found, fresh: true };
}

/** Stores the parameters for a reload, without the start parameter, which has been applied by then. */
export function storeLaunch(params: URLSearchParams): void {
  const stored = new URLSearchParams(params);
  stored.delete(START_PARAM);
  try {
    sessionStorage.setItem(LAUNCH_KEY, stored.toString());
  } catch {
    // sessionStorage is not available in a blocked third-party frame (Telegram Web in a strict browser); the history
    // entry is.
    writeHistoryState({ [LAUNCH_KEY]: stored.toString() });
  }
}

/** Removes the launch parameters from the URL and returns them, without launch data outside the hash. */
function extractLaunchParams(): URLSearchParams {
  const address = new URL(location.href);
  const extracted = new URLSearchParams();
  const hash = splitHash(address.hash);
  const hashSize = hash.params.size;
  for (const params of [address.searchParams, hash.params]) {
    for (const [name, value] of [...params]) {
      if (!name.startsWith(LAUNCH_PARAM_PREFIX)) continue;
      if (params === hash.params || name !== LAUNCH_DATA_PARAM) extracted.set(name, value);
      params.delete(name);
    }
  }
  if (address.search === location.search && hash.params.size === hashSize) return extracted;
  const remaining = hash.params.toString();
  address.hash = [hash.path, remaining].filter((part) => part !== '').join('?');
  replaceAddress(address);
  return extracted;
}

/**
 * Splits a hash, which is `a=1&b=2`, or `anchor`, or `anchor?a=1`: Telegram appends to the hash of the app's own URL.
 */
function splitHash(hash: string): { path: string; params: URLSearchParams } {
  const text = hash.slice(1);
  const queryStart = text.indexOf('?');
  if (queryStart >= 0) return { path: text.slice(0, queryStart), params: new URLSearchParams(text.slice(queryStart + 1)) };
  return text.includes('=') ? { path: '', params: new URLSearchParams(text) } : { path: text, params: new URLSearchParams() };
}

/** Creates the launch information of the host from the parameters. */
export function createLaunchInfo({ params, fresh }: Launch): LaunchInfo {
  const data = () => params.get(LAUNCH_DATA_PARAM) || null;
  const unverified = () => {
    const parsed = parseLaunchData(data() ?? '');
    return parsed.type === 'unverified' ? parsed : null;
  };
  return {
    launchData: data,
    readerId: () => unverified()?.user.id ?? null,
    language: () => unverified()?.user.languageCode ?? null,
    startParam: () => (fresh ? (unverified()?.startParam ?? params.get(START_PARAM)) : null),
    dropLaunchData() {
      params.delete(LAUNCH_DATA_PARAM);
      params.delete(START_PARAM);
      storeLaunch(params);
    },
  };
}
