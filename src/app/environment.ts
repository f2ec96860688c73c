import { createSignal, type Signal } from '../lib/signal.ts';

/** Install prompt: stores the browser's `beforeinstallprompt` event, which fires once and early. */
export function watchInstallPrompt(): Signal<Event | null> {
  const offer = createSignal<Event | null>(null);
  addEventListener('beforeinstallprompt', offer.set);
  return offer;
}
