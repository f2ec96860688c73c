import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { createSignal } from '../../lib/signal.ts';
import { FIRST_VISIT_KEY, HOME_SCREEN_DECLINED_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';

/**
 * Home screen: the way to add the app to the device's home screen: by a prompt that the app can open, or by the reader
 * (Safari).
 */
export type HomeScreenOffer = { readonly way: 'asked'; readonly add: () => void } | { readonly way: 'by-hand' };

const NO_OFFER = createSignal(null);

/** Returns the available way; null if there is none, or if the app runs from the home screen already. */
export function useHomeScreen(): HomeScreenOffer | null {
  const { host, environment } = useServices();
  const offer = useSignalValue(environment.installPrompt ?? NO_OFFER);
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
  if (offer !== null && !usedOffers.has(offer)) return { way: 'asked', add: () => acceptOffer(offer) };
  // Only Safari on a phone or tablet has this property, and it never fires `beforeinstallprompt`.
  return Reflect.get(navigator, 'standalone') === false ? { way: 'by-hand' } : null;
}

/** Used install events: a browser accepts each event once. */
const usedOffers = new WeakSet<Event>();

function acceptOffer(offer: Event): void {
  usedOffers.add(offer);
  const prompt: unknown = Reflect.get(offer, 'prompt');
  if (typeof prompt === 'function') Reflect.apply(prompt, offer, []);
}

/** Minimum time after the first visit, ms: a reload is no second visit. */
const MIN_VISIT_GAP_MS = 30 * 60_000;

/**
 * Returns true if the prompt may show: at a second visit, and never again after a refusal. Where storage is blocked it never
 * shows, because it would show each time.
 */
export function mayOfferHomeScreen(): boolean {
  const firstVisit = createStoredValue('device', FIRST_VISIT_KEY).read();
  return (
    firstVisit !== null &&
    performance.timeOrigin - Number(firstVisit) > MIN_VISIT_GAP_MS &&
    createStoredValue('device', HOME_SCREEN_DECLINED_KEY).read() === null
  );
}

/** Stores that the prompt must not show again. */
export const declineHomeScreen = (): void => createStoredValue('device', HOME_SCREEN_DECLINED_KEY).write('1');
