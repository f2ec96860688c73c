import { build } from 'esbuild';

/**
 * Bundle import: bundles modules of the project with esbuild and imports the bundle. `options` are esbuild's options:
 * an entry point or `stdin`, and plugins. Returns the exports.
 */
export async function importBundle(options) {
  const { outputFiles } = await build({ bundle: true, format: 'esm', write: false, logLevel: 'error', ...options });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Returns source text as esbuild's `stdin`. Its imports are resolved from the project's root. */
export const sourceText = (lines) => ({ stdin: { contents: lines.join('\n'), resolveDir: process.cwd() } });
