import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { createCell } from '../../lib/signal.ts';

/** How the app gets to the device's home screen: somebody asks the reader, or the reader's own hand does it (Safari). */
export type HomeScreenWay = { readonly way: 'asked'; readonly add: () => void } | { readonly way: 'by-hand' };

const NO_OFFER = createCell(null);

/** Gives the way to the home screen; null where there is none, and where we are there already. */
export function useHomeScreen(): HomeScreenWay | null {
  const { host, site } = useServices();
  const offer = useReadable(site.install ?? NO_OFFER);
  const [isMissing, setMissing] = useState(false);
  const { homeScreen } = host;
  useEffect(() => {
    void homeScreen?.isMissing().then(setMissing);
  }, [homeScreen]);
  if (homeScreen !== undefined) {
    const add = () => {
      setMissing(false);
      homeScreen.add();
    };
    return isMissing ? { way: 'asked', add } : null;
  }
  if (host.kind === 'telegram' || matchMedia('(display-mode: standalone)').matches) return null;
  if (offer !== null && !takenUp.has(offer)) return { way: 'asked', add: () => takeUp(offer) };
  // Only Safari on a phone or tablet says so, and it never offers anything.
  return Reflect.get(navigator, 'standalone') === false ? { way: 'by-hand' } : null;
}

/** A browser takes its offer once. */
const takenUp = new WeakSet<Event>();

function takeUp(offer: Event): void {
  takenUp.add(offer);
  const prompt: unknown = Reflect.get(offer, 'prompt');
  if (typeof prompt === 'function') Reflect.apply(prompt, offer, []);
}

/** When this device first came; src/app/inline/first-visit.ts. */
const SEEN = 'changer_seen';
const DECLINED = 'changer_home_screen';
/** A reload is no second visit, ms. */
const VISIT = 30 * 60_000;

/** Whether the reader may be asked: at a second visit, and never again after a no. */
export function mayAsk(): boolean {
  try {
    const seen = localStorage.getItem(SEEN);
    return seen !== null && performance.timeOrigin - Number(seen) > VISIT && localStorage.getItem(DECLINED) === null;
  } catch {
    return false; // where nothing can be kept the question would come each time
  }
}

/** Keeps the reader's answer. */
export function askNoMore(): void {
  try {
    localStorage.setItem(DECLINED, '1');
  } catch {
    // see mayAsk
  }
}
