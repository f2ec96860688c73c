import { DATA, KEPT, PREFIX, readKept, stateNow } from './launch-kept.ts';

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
 * out of the address, so that they are neither shared with a link nor taken for a place in the page.
 */
export function readLaunch(): Launch {
  const found = takeFromAddress();
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
  for (const params of [address.searchParams, hash.params]) {
    for (const [name, value] of [...params]) {
      if (!name.startsWith(PREFIX)) continue;
      taken.set(name, value);
      params.delete(name);
    }
  }
  if (taken.size === 0) return taken;
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
