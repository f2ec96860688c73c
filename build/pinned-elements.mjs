import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { embedOptions } from './app-bundle.mjs';
import { readElements } from './read-elements.mjs';

/** Source files of messages that only the app uses, not a tag on another site. */
const APP_ONLY_MESSAGES = /[\\/]locales[\\/](exchange|operator|self-test)[\\/]/;

/**
 * Placeholder for the version in the bundles. The version contains a hash of the bundles, so it is not known before.
 */
const VERSION_PLACEHOLDER = '0.0.0-of-this-file';

/**
 * Pinned elements: bundles each tag for third-party pages into one file, `<out>/<version>/<tag>.js`. An integrity hash
 * (SRI) in a page protects only the file that it names, not its imports. So the file contains everything, also the code
 * that is otherwise loaded lazily. The version changes only if the contents change.
 */
export async function buildPinned(out) {
  const tags = (await readElements()).tags.filter(({ app }) => !app).map(({ tag }) => tag);
  const files = await Promise.all(tags.map(async (tag) => [`${tag}.js`, await bundleElement(tag)]));
  const hash = createHash('sha256');
  for (const [name, body] of files) hash.update(name).update(body);
  const packageVersion = JSON.parse(await readFile('package.json', 'utf8')).version;
  const version = `${packageVersion}-${hash.digest('hex').slice(0, 10)}`;
  await mkdir(join(out, version), { recursive: true });
  for (const [name, body] of files) await writeFile(join(out, version, name), body.replaceAll(VERSION_PLACEHOLDER, version));
}

async function bundleElement(tag) {
  const options = embedOptions();
  const { outputFiles } = await build({
    ...options,
    // __SELF_CONTAINED__: the tag has no loader (elements/define-element.ts).
    define: { ...options.define, __SELF_CONTAINED__: 'true', __VERSION__: JSON.stringify(VERSION_PLACEHOLDER) },
    plugins: [withoutAppMessages, ...options.plugins],
    stdin: { contents: `import './elements/embed/embed-services.ts';import './elements/${tag}.ts';`, resolveDir: process.cwd() },
    minify: true,
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

/** esbuild plugin: replaces the messages of `APP_ONLY_MESSAGES` by empty modules. */
const withoutAppMessages = {
  name: 'without-app-messages',
  setup(bundler) {
    bundler.onLoad({ filter: APP_ONLY_MESSAGES }, () => ({ contents: 'export const templates = {};' }));
  },
};
