import { createSignal, type Signal } from '../lib/signal.ts';

/** Install prompt: stores the browser's `beforeinstallprompt` event, which fires once and early. Null until then. */
export function watchInstallPrompt(): Signal<Event | null> {
  const promptEvent = createSignal<Event | null>(null);
  addEventListener('beforeinstallprompt', promptEvent.set);
  return promptEvent;
}
