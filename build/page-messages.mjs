import { readLocalizeConfig } from '../scripts/i18n/generate-messages.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/**
 * Messages of the examples page: reads, for each language of the app, its own name, its direction, `msg` for the texts that the
 * build inserts, and the templates for the texts of the page's script (none in English).
 */
export async function readPageMessages() {
  const { sourceLocale, targetLocales } = readLocalizeConfig();
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
