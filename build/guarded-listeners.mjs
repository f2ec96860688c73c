import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/** Our own sources, of which none stands under node_modules. */
const OURS = /^(src|elements)[\\/]/;
/** Where the guard itself is. */
const GUARD = /^elements[\\/]embed[\\/]report-error\.ts$/;
const LISTENERS = /\b([\w.]+?)\??\.(add|remove)EventListener(?:\?\.)?\(/g;

/**
 * Reads a source of the tags. What it adds as a listener it adds by elements/embed/report-error.ts, so that what fails in one is never an
 * error of the site's.
 */
export async function readGuarded(path) {
  const source = await readFile(path, 'utf8');
  if (GUARD.test(relative('.', path))) return source;
  return source.replace(LISTENERS, (_, target, act) => `${act}Guarded(${target}, `);
}

/** esbuild plugin: reads our sources by readGuarded. */
export const guardedListeners = {
  name: 'guarded-listeners',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|elements)[\\/].*\.tsx?$/ }, async ({ path }) =>
      OURS.test(relative('.', path)) ? { contents: await readGuarded(path), loader: path.endsWith('x') ? 'tsx' : 'ts' } : null,
    );
  },
};
