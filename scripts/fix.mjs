// `npm run fix`: writes the import walls, formats, extracts the messages and generates their modules.

import { writeFile } from 'node:fs/promises';
import { readConfig, translate } from './i18n/generate-messages.mjs';
import { CONFIG, configOfWalls } from './import-walls.mjs';
import { run } from './run-process.mjs';

await writeFile(CONFIG, await configOfWalls());

process.exitCode = await run('node', ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.']);
if (process.exitCode === 0) await translate(readConfig());
