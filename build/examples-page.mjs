import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BROWSER_TARGETS } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { manifestOf } from './custom-elements-manifest.mjs';
import { importBundle } from './import-bundle.mjs';
import { readPageMessages } from './page-messages.mjs';
import { loadElements } from './read-elements.mjs';

/**
 * Examples page: builds the page and the manifest of the tags that it reads into `<web>/elements`, in each language of
 * the app: `index.ru.html` and `custom-elements.ru.json` next to the English `index.html` and `custom-elements.json`.
 */
export async function buildExamples(web) {
  await Promise.all([join(web, 'elements'), join(web, 'assets')].map((folder) => mkdir(folder, { recursive: true })));
  const [template, languages, describe, assets] = await Promise.all([
    readFile('examples/index.html', 'utf8'),
    readPageMessages(),
    loadElements(),
    buildAssets(web),
  ]);
  await Promise.all(
    languages.map(async (messages) => {
      const suffix = messages.locale === 'en' ? '' : `.${messages.locale}`;
      const elements = describe(messages.msg);
      const embeddable = { ...elements, tags: elements.tags.filter(({ app }) => !app) };
      const tags = `/elements/custom-elements${suffix}.json`;
      await writeFile(join(web, tags), JSON.stringify(manifestOf(embeddable, 'elements')));
      await writeFile(
        join(web, `elements/index${suffix}.html`),
        fillTemplate(template, { ...messages, tags }, languages, assets),
      );
    }),
  );
}

/**
 * Builds the script and the style sheet, which are the same in every language. Returns their URLs, and the function
 * that returns the texts of `index.html`.
 */
async function buildAssets(web) {
  const [script, { frame }, { text: style }] = await Promise.all([
    build({
      entryPoints: ['examples/page.ts'],
      bundle: true,
      format: 'esm',
      target: BROWSER_TARGETS,
      minify: true,
      write: false,
      legalComments: 'none',
      logLevel: 'warning',
    }),
    importBundle({ entryPoints: ['examples/frame.ts'] }),
    readStyles('examples/page.css', BROWSER_TARGETS),
  ]);
  return {
    script: await writeAsset(web, 'js', script.outputFiles[0].text),
    style: await writeAsset(web, 'css', hostToRoot(style)),
    frame,
  };
}

/**
 * Inserts the texts of a language into `index.html`. Throws if the placeholders differ from the names in `frame.ts`.
 */
function fillTemplate(template, { locale, dir, msg, templates, tags }, allLanguages, { script, style, frame }) {
  const texts = frame(msg);
  const used = new Set([...template.matchAll(/\{\{([\w-]+)\}\}/g)].map(([, name]) => name));
  for (const name of new Set([...used, ...Object.keys(texts)]))
    if (!used.has(name) || texts[name] === undefined)
      throw new Error(`examples/index.html and examples/frame.ts differ in the name ${name}`);
  const languages = Object.fromEntries(allLanguages.map((language) => [language.locale, language.name]));
  const links = allLanguages.map((language) => {
    const current = language.locale === locale ? ' aria-current="true"' : '';
    return `<a href="/elements/?lang=${language.locale}" lang="${language.locale}" hreflang="${language.locale}"${current}>${language.name}</a>`;
  });
  const pageData = JSON.stringify({ tags, templates: templates ?? null, languages }).replaceAll('<', '\\u003c');
  const parts = {
    script,
    style,
    languages: links.join(' '),
    words: `<script type="application/json" id="words">${pageData}</script>`,
  };
  return template
    .replace('<html lang="en">', `<html lang="${locale}" dir="${dir}">`)
    .replace(/<!--(\w+)-->/g, (_, name) => parts[name])
    .replace(/\{\{([\w-]+)\}\}/g, (_, name) => toMarkup(texts[name]));
}

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes a text for HTML. Text in backquotes becomes code. */
const toMarkup = (text) => text.replace(/[&<>"]/g, (character) => ESCAPES[character]).replace(/`([^`]*)`/g, '<code>$1</code>');

/** Rewrites `:host` to `:root`: the tokens of `tokens.css` are set on a tag's host, but here on the document. */
const hostToRoot = (css) => css.replace(/:host\((:where\((?:[^()]|\([^()]*\))*\))\)/g, ':root$1').replaceAll(':host', ':root');

async function writeAsset(web, kind, text) {
  const path = `/assets/examples-${createHash('sha256').update(text).digest('hex').slice(0, 10)}.${kind}`;
  await writeFile(join(web, path), text);
  return path;
}
