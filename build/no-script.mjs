import { readLocalizeConfig } from '../scripts/i18n/generate-messages.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/**
 * Fallback without JavaScript: returns the `noscript` element of the shell, with its text in each language of the app.
 */
export async function noScriptElement() {
  const { sourceLocale, targetLocales } = readLocalizeConfig();
  const modules = await importBundle(
    sourceText([
      `export { createMessages } from './src/i18n/messages.ts';`,
      `export { noScriptTexts } from './src/app/inline/no-script.ts';`,
      ...targetLocales.map((locale) => `export { templates as '${locale}' } from './src/i18n/locales/no-script/${locale}.ts';`),
    ]),
  );
  const sections = [sourceLocale, ...targetLocales].map((locale) => {
    const messages = modules.createMessages(locale, modules[locale]);
    const { text, link } = modules.noScriptTexts(messages);
    return `<section lang="${locale}" dir="${messages.dir}"><p>${text}</p><p><a href="/main">${link}</a></p></section>`;
  });
  return `<noscript><div class="shell-noscript">${sections.join('')}</div></noscript>`;
}
