import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { browserOptions, elementEntries } from './web.mjs';

/** Tags of the app's own, which no site pins. */
const APPS_OWN = ['changer-layout', 'changer-not-found', 'changer-close-webapp', 'changer-self-test'];

/** Words that only the app says. */
const ELSEWHERE = /[\\/]locales[\\/](exchange|operator|self-test)[\\/]/;

/**
 * Bundles each tag into one file, `<out>/<version>/<tag>.js`. A hash in a site's page covers the one file that it names, and
 * none that this would import; so all is in it, also what other tags load only when it is needed. The version changes with the
 * contents, and with nothing else.
 */
export async function buildPinned(out) {
  const tags = (await elementEntries()).map((path) => basename(path, '.ts')).filter((tag) => !APPS_OWN.includes(tag));
  const files = await Promise.all(tags.map(async (tag) => [`${tag}.js`, await bundle(tag)]));
  const contents = createHash('sha256');
  for (const [name, body] of files) contents.update(name).update(body);
  const { version } = JSON.parse(await readFile('package.json', 'utf8'));
  const folder = join(out, `${version}-${contents.digest('hex').slice(0, 10)}`);
  await mkdir(folder, { recursive: true });
  for (const [name, body] of files) await writeFile(join(folder, name), body);
}

async function bundle(tag) {
  const options = browserOptions();
  const { outputFiles } = await build({
    ...options,
    plugins: [withoutWordsOfTheApp, ...options.plugins],
    stdin: { contents: `import './elements/services.ts';import './elements/${tag}.ts';`, resolveDir: process.cwd() },
    minify: true,
    legalComments: 'none',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0].contents;
}

const withoutWordsOfTheApp = {
  name: 'without-words-of-the-app',
  setup(bundler) {
    bundler.onLoad({ filter: ELSEWHERE }, () => ({ contents: 'export const templates = {};' }));
  },
};
