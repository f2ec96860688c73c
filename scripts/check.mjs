// `npm run check`: checks the format, lint rules with the import rules, types of each TypeScript project, translations,
// and the vocabulary of names, comments and documents.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { checkTranslations } from './i18n/check-translations.mjs';
import { CONFIG, generateConfig } from './import-rules.mjs';
import { checkVocabulary } from './vocabulary.mjs';

const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'];
const typeChecks = ['.', 'server', 'sw', 'test'].map((project) => ['node_modules/typescript/bin/tsc', '-p', project]);

const hasCurrentImportRules = (await readFile(CONFIG, 'utf8')) === (await generateConfig());
console.log(
  hasCurrentImportRules
    ? 'ok     import rules'
    : `FAILED import rules: ${CONFIG} does not match ARCHITECTURE.md; run npm run fix`,
);

let failed = !hasCurrentImportRules;
for (const args of [biome, ...typeChecks]) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${args[0].split('/').at(-1)} ${args.slice(1).join(' ')}`);
  failed ||= status !== 0;
}
for (const [name, check] of [
  ['translations', checkTranslations],
  ['vocabulary', checkVocabulary],
]) {
  const faults = await check();
  for (const fault of faults) console.log(fault);
  console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} ${name}`);
  failed ||= faults.length > 0;
}
process.exitCode = failed ? 1 : 0;
