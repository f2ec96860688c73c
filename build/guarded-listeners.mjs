import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

/** Our own sources. None of them is in `node_modules`. */
const OWN_SOURCES = /^(src|elements)[\\/]/;
/** Module that implements the guard. */
const GUARD_MODULE = /^elements[\\/]embed[\\/]report-error\.ts$/;
/** Call of `addEventListener` or `removeEventListener` on a target. */
const LISTENERS = /\b([\w.]+?)\??\.(add|remove)EventListener(?:\?\.)?\(/g;

/**
 * Guarded listeners: reads a source of the tags and replaces its calls of `addEventListener` and `removeEventListener`
 * by those of `elements/embed/report-error.ts`, so that an exception in a listener is never an error of the host page.
 */
export async function readGuarded(path) {
  const source = await readFile(path, 'utf8');
  if (GUARD_MODULE.test(relative('.', path))) return source;
  return source.replace(LISTENERS, (_, target, verb) => `${verb}Guarded(${target}, `);
}

/** esbuild plugin: reads our sources with `readGuarded`. */
export const guardedListeners = {
  name: 'guarded-listeners',
  setup(bundler) {
    bundler.onLoad({ filter: /[\\/](src|elements)[\\/].*\.tsx?$/ }, async ({ path }) =>
      OWN_SOURCES.test(relative('.', path))
        ? { contents: await readGuarded(path), loader: path.endsWith('x') ? 'tsx' : 'ts' }
        : null,
    );
  },
};
