import { readLocalizeConfig } from '../scripts/i18n/generate-messages.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/**
 * Messages of the examples page: returns them for each language of the app. `name` is the language's name in that
 * language, and `dir` its text direction. `msg` translates the texts that the build inserts (messages of
 * `elements-frame`). `templates` are the translations that the page's script uses (messages of `elements-page`);
 * undefined in English, the source language.
 */
export async function readPageMessages() {
  const { sourceLocale, targetLocales } = readLocalizeConfig();
  const moduleLines = [
    `export { createMessages } from './src/i18n/messages.ts';`,
    `export { languageName } from './src/i18n/language-name.ts';`,
    ...targetLocales.flatMap((locale) =>
      ['elements-frame', 'elements-page'].map(
        (area) => `export { templates as '${area}/${locale}' } from './src/i18n/locales/${area}/${locale}.ts';`,
      ),
    ),
  ];
  const modules = await importBundle(sourceText(moduleLines));
  return [sourceLocale, ...targetLocales].map((locale) => {
    const { msg, dir } = modules.createMessages(locale, modules[`elements-frame/${locale}`]);
    return { locale, dir, msg, name: modules.languageName(locale), templates: modules[`elements-page/${locale}`] };
  });
}
