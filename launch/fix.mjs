// `npm run fix`: formats, extracts the messages and generates the modules of words.
import { run } from './run.mjs';
import { readConfig, translate } from './words.mjs';

process.exitCode = await run('node', ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.']);
if (process.exitCode === 0) await translate(readConfig());
