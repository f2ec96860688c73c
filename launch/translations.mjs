import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const WORK = 'node_modules/.cache/translations';

/**
 * Extracts and generates the translations anew, aside, and gives a line for each message without a translation and each
 * generated file that is not what is committed. lit-localize itself only warns.
 */
export function checkTranslations() {
  const config = JSON.parse(readFileSync('lit-localize.json', 'utf8'));
  const aside = { ...config, output: { ...config.output }, interchange: { ...config.interchange } };
  rmSync(WORK, { recursive: true, force: true });
  mkdirSync(join(WORK, 'xlf'), { recursive: true });
  mkdirSync(join(WORK, 'locales'));
  for (const name of readdirSync(config.interchange.xliffDir))
    writeFileSync(join(WORK, 'xlf', name), readFileSync(join(config.interchange.xliffDir, name)));
  aside.output.outputDir = `./${WORK}/locales`;
  aside.output.localeCodesModule = `./${WORK}/locales/codes.ts`;
  aside.interchange.xliffDir = `./${WORK}/xlf`;
  const place = '.lit-localize.check.json';
  try {
    writeFileSync(place, JSON.stringify(aside));
    for (const act of ['extract', 'build']) {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['node_modules/@lit/localize-tools/bin/lit-localize.js', act, '--config', place],
        { encoding: 'utf8' },
      );
      if (status !== 0) return [`lit-localize ${act} failed:\n${withoutConfig(stdout + stderr)}`];
    }
  } finally {
    rmSync(place, { force: true });
  }
  return [...missingIn(join(WORK, 'xlf')), ...staleIn(config.output.outputDir)];
}

/** lit-localize tells its configuration before what is wrong. */
const withoutConfig = (said) => said.slice(said.indexOf('\n}') + 2).trim();

function missingIn(folder) {
  return readdirSync(folder).flatMap((name) => {
    const units = readFileSync(join(folder, name), 'utf8').match(/<trans-unit[\s\S]*?<\/trans-unit>/g) ?? [];
    return units
      .filter((unit) => !/<target[\s>]/.test(unit))
      .map((unit) => `${name}: no translation of ${/<source>([\s\S]*?)<\/source>/.exec(unit)?.[1]}`);
  });
}

function staleIn(folder) {
  const same = (name) => readFileSync(join(folder, name), 'utf8') === readFileSync(join(WORK, 'locales', name), 'utf8');
  return readdirSync(join(WORK, 'locales'))
    .filter((name) => !same(name))
    .map((name) => `${folder}/${name} is stale: run npm run fix`);
}
