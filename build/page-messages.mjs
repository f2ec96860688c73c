import { readConfig } from '../scripts/i18n/generate-messages.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/**
 * Reads the messages of the page of examples: for each language of the app its name in itself, its direction, `msg` for the words
 * that the build writes, and the templates of those that the page's script says (none in English).
 */
export async function readPageMessages() {
  const { sourceLocale, targetLocales } = readConfig();
  const lines = [
    `export { createMessages } from './src/i18n/messages.ts';`,
    `export { languageName } from './src/i18n/language-name.ts';`,
    ...targetLocales.flatMap((locale) =>
      ['elements-frame', 'elements-page'].map(
        (page) => `export { templates as '${page}/${locale}' } from './src/i18n/locales/${page}/${locale}.ts';`,
      ),
    ),
  ];
  const modules = await importBundle(sourceText(lines));
  return [sourceLocale, ...targetLocales].map((locale) => {
    const { msg, dir } = modules.createMessages(locale, modules[`elements-frame/${locale}`]);
    return { locale, dir, msg, name: modules.languageName(locale), templates: modules[`elements-page/${locale}`] };
  });
}
