import { parseLaunchData } from '../../../contract/launch-data.ts';
import type { LaunchFacts } from '../platform.ts';
import { DATA, KEPT, PREFIX, readKept, stateNow } from './launch-storage.ts';

/** What Telegram handed over when it opened the app. */
export interface Launch {
  readonly params: URLSearchParams;
  /** True on the load that the container caused, false on a reload that found it kept. */
  readonly fresh: boolean;
}

export const VERSION = 'tgWebAppVersion';
export const START = 'tgWebAppStartParam';

/**
 * Reads the launch parameters from the address, else those kept by an earlier load of this tab; keeps them, and takes them
 * out of the address, so that they are neither shared with a link nor taken for a place in the page. Outside Telegram
 * (`isInTelegram` is false) launch data are only taken out, and nothing is kept. Launch data count only in the hash, where
 * Telegram puts them.
 */
export function readLaunch(isInTelegram: boolean): Launch {
  const found = takeFromAddress();
  if (!isInTelegram) {
    found.delete(DATA);
    return { params: found, fresh: true };
  }
  if (!found.has(VERSION) && !found.has(DATA)) {
    const params = new URLSearchParams(readKept());
    for (const [name, value] of found) params.set(name, value);
    return { params, fresh: found.has(START) };
  }
  keepLaunch(found);
  return { params: found, fresh: true };
}

/** Keeps the parameters for a reload, without the start parameter: it has been followed by then. */
export function keepLaunch(params: URLSearchParams): void {
  const kept = new URLSearchParams(params);
  kept.delete(START);
  try {
    sessionStorage.setItem(KEPT, kept.toString());
  } catch {
    // Storage is refused to a blocked third-party frame (Telegram Web in a strict browser); the history entry is not.
    history.replaceState({ ...stateNow(), [KEPT]: kept.toString() }, '');
  }
}

function takeFromAddress(): URLSearchParams {
  const address = new URL(location.href);
  const taken = new URLSearchParams();
  const hash = splitHash(address.hash);
  const hashSize = hash.params.size;
  for (const params of [address.searchParams, hash.params]) {
    for (const [name, value] of [...params]) {
      if (!name.startsWith(PREFIX)) continue;
      if (params === hash.params || name !== DATA) taken.set(name, value);
      params.delete(name);
    }
  }
  if (address.search === location.search && hash.params.size === hashSize) return taken;
  const rest = hash.params.toString();
  address.hash = [hash.path, rest].filter((part) => part !== '').join('?');
  history.replaceState(history.state, '', address);
  return taken;
}

/** A hash is `a=1&b=2`, or `place`, or `place?a=1`: Telegram appends to what the app's own address has. */
function splitHash(hash: string): { path: string; params: URLSearchParams } {
  const text = hash.slice(1);
  const question = text.indexOf('?');
  if (question >= 0) return { path: text.slice(0, question), params: new URLSearchParams(text.slice(question + 1)) };
  return text.includes('=') ? { path: '', params: new URLSearchParams(text) } : { path: text, params: new URLSearchParams() };
}

/** Answers from the launch parameters until they are dropped. */
export function launchFacts({ params, fresh }: Launch): LaunchFacts {
  const data = () => params.get(DATA) || null;
  const unverified = () => {
    const read = parseLaunchData(data() ?? '');
    return read.type === 'unverified' ? read : null;
  };
  return {
    launchData: data,
    readerId: () => unverified()?.user.id ?? null,
    language: () => unverified()?.user.languageCode ?? null,
    startParam: () => (fresh ? (unverified()?.startParam ?? params.get(START)) : null),
    dropLaunchData() {
      params.delete(DATA);
      params.delete(START);
      keepLaunch(params);
    },
  };
}
