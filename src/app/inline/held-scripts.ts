/*
 * Held scripts: with a page snapshot, the service worker (sw/snapshot.ts) puts the app's script and its preloads into a
 * template, which loads nothing. Otherwise their requests and their evaluation would come before the first paint of the snapshot.
 */
import { afterPaint } from '../../lib/after-paint.ts';

/** A browser paints no frame of a page in the background, so the scripts start after this time at the latest, ms. */
const MAX_DELAY_MS = 1000;

/** Returns the path of the app's script, which names the build. */
export const appScriptPath = (): string | null | undefined =>
  (findTemplate()?.content ?? document).querySelector('script[type=module]')?.getAttribute('src');

/** Starts the held scripts: after the next paint if the page has content, otherwise immediately. */
export function startHeldScripts(hasContent: boolean): void {
  const template = findTemplate();
  if (template === null) return;
  // A second call finds the template empty, and does nothing. Starting a request takes 5 ms on a slow device, so each preload has a
  // task of its own.
  const start = () => {
    const [script, ...preloads] = template.content.children;
    if (script === undefined) return;
    template.replaceWith(script);
    for (const preload of preloads) setTimeout(() => script.after(preload));
  };
  if (hasContent) {
    afterPaint(start);
    setTimeout(start, MAX_DELAY_MS);
  } else start();
}

const findTemplate = (): HTMLTemplateElement | null => document.querySelector('template#scripts');
