import { cpSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { generateMessages, readLocalizeConfig } from './generate-messages.mjs';

const WORK_FOLDER = 'node_modules/.cache/translations';

/**
 * Checks the translations: extracts and generates them in a temporary folder. Returns a line for each message without a
 * translation, and for each generated file that differs from the committed one.
 */
export async function checkTranslations() {
  const config = readLocalizeConfig();
  const [xliffDir, outputDir] = [`${WORK_FOLDER}/xlf`, `${WORK_FOLDER}/locales`];
  rmSync(WORK_FOLDER, { recursive: true, force: true });
  cpSync(config.interchange.xliffDir, xliffDir, { recursive: true });
  try {
    await generateMessages({
      ...config,
      output: { ...config.output, outputDir },
      interchange: { ...config.interchange, xliffDir },
    });
  } catch (error) {
    return [...(error instanceof Error ? error.message : String(error)).split('\n'), ...findMissingTranslations(xliffDir)];
  }
  return [...findMissingTranslations(xliffDir), ...findStaleModules(config.output.outputDir, outputDir)];
}

function findMissingTranslations(folder) {
  return readdirSync(folder).flatMap((name) => {
    const units = readFileSync(join(folder, name), 'utf8').match(/<trans-unit[\s\S]*?<\/trans-unit>/g) ?? [];
    return units
      .filter((unit) => !/<target[^>]*>[\s\S]*\S[\s\S]*<\/target>/.test(unit))
      .map((unit) => `${name}: no translation of ${/<source>([\s\S]*?)<\/source>/.exec(unit)?.[1]}`);
  });
}

function findStaleModules(folder, generatedFolder) {
  const textOf = (path) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);
  const names = [folder, generatedFolder]
    .flatMap((path) => readdirSync(path, { recursive: true }))
    .filter((name) => name.endsWith('.ts'));
  return [...new Set(names)]
    .filter((name) => textOf(join(folder, name)) !== textOf(join(generatedFolder, name)))
    .map((name) => `${folder}/${name} is stale: run npm run fix`);
}
