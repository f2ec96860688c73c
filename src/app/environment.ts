import { createCell, type Readable } from '../lib/signal.ts';

/** Install prompt: stores the browser's `beforeinstallprompt` event, which fires once and early. */
export function watchInstall(): Readable<Event | null> {
  const offer = createCell<Event | null>(null);
  addEventListener('beforeinstallprompt', offer.set);
  return offer;
}
