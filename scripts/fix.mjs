// `npm run fix`: formats, extracts the messages and generates the modules of words.

import { readConfig, translate } from './i18n/generate-messages.mjs';
import { run } from './run-process.mjs';

process.exitCode = await run('node', ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.']);
if (process.exitCode === 0) await translate(readConfig());
