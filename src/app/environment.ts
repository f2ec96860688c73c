import { createCell, type Readable } from '../lib/signal.ts';

/** Hears the browser's offer to install the app, which comes once and early. */
export function watchInstall(): Readable<Event | null> {
  const offer = createCell<Event | null>(null);
  addEventListener('beforeinstallprompt', offer.set);
  return offer;
}
