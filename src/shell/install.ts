import { createCell, type Readable } from '../readable.ts';

/** Hears the browser's offer to install the app, which comes once and early; asking the reader uses it up. */
export function watchInstall(): Readable<(() => void) | null> {
  const offer = createCell<(() => void) | null>(null);
  window.addEventListener('beforeinstallprompt', (event) => {
    offer.set(() => {
      offer.set(null);
      const prompt: unknown = Reflect.get(event, 'prompt');
      if (typeof prompt === 'function') Reflect.apply(prompt, event, []);
    });
  });
  return offer;
}
