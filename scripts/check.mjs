// `npm run check`: checks the format, lint rules with the import walls, types of each TypeScript project, and translations.
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { checkTranslations } from './i18n/check-translations.mjs';
import { CONFIG, generateConfig } from './import-walls.mjs';

const biome = ['node_modules/@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'];
const types = ['.', 'server', 'sw', 'test'].map((room) => ['node_modules/typescript/bin/tsc', '-p', room]);

const hasCurrentWalls = (await readFile(CONFIG, 'utf8')) === (await generateConfig());
console.log(
  hasCurrentWalls ? 'ok     import walls' : `FAILED import walls: ${CONFIG} is not of today's list; npm run fix writes it`,
);

let failed = !hasCurrentWalls;
for (const args of [biome, ...types]) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${args[0].split('/').at(-1)} ${args.slice(1).join(' ')}`);
  failed ||= status !== 0;
}
const faults = await checkTranslations();
for (const fault of faults) console.log(fault);
console.log(`${faults.length === 0 ? 'ok    ' : 'FAILED'} translations`);
process.exitCode = failed || faults.length > 0 ? 1 : 0;
