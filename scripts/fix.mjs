// `npm run fix`: writes the lint rules for imports, formats the files, extracts the translatable texts and
// generates their modules.

import { writeFile } from 'node:fs/promises';
import { generateMessages, readLocalizeConfig } from './i18n/generate-messages.mjs';
import { CONFIG, generateConfig } from './import-rules.mjs';
import { runProcess } from './run-process.mjs';

await writeFile(CONFIG, await generateConfig());

process.exitCode = await runProcess('node', ['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '.']);
if (process.exitCode === 0) await generateMessages(readLocalizeConfig());
