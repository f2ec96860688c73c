import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { readElements } from './elements.mjs';
import { manifestOf } from './elements-manifest.mjs';
import { readStyles } from './styles.mjs';
import { FLOOR } from './web.mjs';

/** Builds the page of examples, and the description of the tags that it reads, into `<web>/elements`. */
export async function buildExamples(web) {
  await Promise.all([join(web, 'elements'), join(web, 'assets')].map((folder) => mkdir(folder, { recursive: true })));
  const elements = await readElements();
  const ofSites = { ...elements, tags: elements.tags.filter(({ app }) => !app) };
  await writeFile(join(web, 'elements/custom-elements.json'), JSON.stringify(manifestOf(ofSites, 'elements')));
  const { outputFiles } = await build({
    entryPoints: ['examples/page.ts'],
    bundle: true,
    format: 'esm',
    target: FLOOR,
    minify: true,
    write: false,
    legalComments: 'none',
    logLevel: 'warning',
  });
  const { text: style } = await readStyles('examples/page.css', FLOOR);
  const parts = {
    script: await writeAsset(web, 'js', outputFiles[0].text),
    style: await writeAsset(web, 'css', onDocument(style)),
  };
  const template = await readFile('examples/index.html', 'utf8');
  await writeFile(
    join(web, 'elements/index.html'),
    template.replace(/<!--(script|style)-->/g, (_, name) => parts[name]),
  );
}

/** The roles of tokens.css stand on a tag's root; here on the document's. */
const onDocument = (css) => css.replace(/:host\((:where\((?:[^()]|\([^()]*\))*\))\)/g, ':root$1').replaceAll(':host', ':root');

async function writeAsset(web, kind, text) {
  const path = `/assets/examples-${createHash('sha256').update(text).digest('hex').slice(0, 10)}.${kind}`;
  await writeFile(join(web, path), text);
  return path;
}
