import { build } from 'esbuild';
import { PAGES, readConfig } from '../launch/words.mjs';

/**
 * Reads the messages of the page of examples: for each language of the app its name in itself, its direction, `msg` for the words
 * that the build writes, and the templates of those that the page's script says (none in English).
 */
export async function readPageMessages() {
  const { sourceLocale, targetLocales } = readConfig();
  const contents = [
    `export { createMessages } from './src/i18n/messages.ts';`,
    `export { languageName } from './src/i18n/language-name.ts';`,
    ...targetLocales.flatMap((locale) =>
      Object.keys(PAGES).map(
        (page) => `export { templates as '${page}/${locale}' } from './src/i18n/locales/${page}/${locale}.ts';`,
      ),
    ),
  ].join('\n');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    format: 'esm',
    write: false,
    logLevel: 'error',
  });
  const modules = await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
  return [sourceLocale, ...targetLocales].map((locale) => {
    const { msg, dir } = modules.createMessages(locale, modules[`elements-frame/${locale}`]);
    return { locale, dir, msg, name: modules.languageName(locale), templates: modules[`elements-page/${locale}`] };
  });
}
