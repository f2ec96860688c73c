import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Inline messages: returns the translations of the texts of `src/app/shell/load-error.ts` in each language, by the
 * English text. They are used if the messages of the language could not be loaded.
 */
export async function loadErrorMessages() {
  const { targetLocales, interchange } = JSON.parse(await readFile('lit-localize.json', 'utf8'));
  const texts = [...(await readFile('src/app/shell/load-error.ts', 'utf8')).matchAll(/msg\('([^']+)'\)/g)].map(
    ([, text]) => text,
  );
  const readTranslations = async (locale) => {
    const xliff = await readFile(join(interchange.xliffDir, `${locale}.xlf`), 'utf8');
    return texts.map((text) => {
      const [, target] = xliff.split(`<source>${text}</source>\n  <target>`);
      if (target === undefined) throw new Error(`build: ${locale} has no translation of "${text}"`);
      return [text, target.slice(0, target.indexOf('<'))];
    });
  };
  return Object.fromEntries(
    await Promise.all(targetLocales.map(async (locale) => [locale, Object.fromEntries(await readTranslations(locale))])),
  );
}
