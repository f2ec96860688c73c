import { createSignal, type Signal } from '../lib/signal.ts';

/**
 * Install prompt: returns a signal with the browser's `beforeinstallprompt` event, which fires once and early; null
 * before.
 */
export function watchInstallPrompt(): Signal<Event | null> {
  const promptEvent = createSignal<Event | null>(null);
  addEventListener('beforeinstallprompt', promptEvent.set);
  return promptEvent;
}
