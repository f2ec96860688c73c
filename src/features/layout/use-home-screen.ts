import { useEffect, useState } from 'react';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { createSignal } from '../../lib/signal.ts';
import { FIRST_VISIT_KEY, HOME_SCREEN_DECLINED_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';

/**
 * Home screen offer: how to add the app to the device's home screen. With `asked`, `add` opens the container's prompt;
 * with `by-hand` the reader uses the browser's menu (Safari).
 */
export type HomeScreenOffer = { readonly way: 'asked'; readonly add: () => void } | { readonly way: 'by-hand' };

const NO_OFFER = createSignal(null);

/** Returns the available offer; null if there is none, or if the app is on the home screen already or runs from it. */
export function useHomeScreen(): HomeScreenOffer | null {
  const { host, environment } = useServices();
  const installEvent = useSignalValue(environment.installPrompt ?? NO_OFFER);
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
  if (installEvent !== null && !usedEvents.has(installEvent)) return { way: 'asked', add: () => openPrompt(installEvent) };
  // Only Safari on a phone or tablet has this property, and it never fires `beforeinstallprompt`.
  return Reflect.get(navigator, 'standalone') === false ? { way: 'by-hand' } : null;
}

/** Used install events: a browser accepts each event once. */
const usedEvents = new WeakSet<Event>();

/** Opens the browser's install prompt. TypeScript has no type for this event. */
function openPrompt(installEvent: Event): void {
  usedEvents.add(installEvent);
  const prompt: unknown = Reflect.get(installEvent, 'prompt');
  if (typeof prompt === 'function') Reflect.apply(prompt, installEvent, []);
}

/** Minimum time between the first and the second visit, ms: a reload is no second visit. */
const MIN_VISIT_GAP_MS = 30 * 60_000;

/**
 * Returns true if the prompt may show: at a second visit, and never again after the reader declined. Where storage is
 * blocked it never shows, because it would show at each visit.
 */
export function mayOfferHomeScreen(): boolean {
  const firstVisitMs = createStoredValue('device', FIRST_VISIT_KEY).read();
  return (
    firstVisitMs !== null &&
    performance.timeOrigin - Number(firstVisitMs) > MIN_VISIT_GAP_MS &&
    createStoredValue('device', HOME_SCREEN_DECLINED_KEY).read() === null
  );
}

/** Stores that the prompt must not show again. */
export const declineHomeScreen = (): void => createStoredValue('device', HOME_SCREEN_DECLINED_KEY).write('1');
