import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Lists the test files of a folder whose path contains `filter`. */
export const testFiles = (folder, filter = '') =>
  (existsSync(folder) ? readdirSync(folder, { recursive: true }) : [])
    .map((name) => join(folder, name))
    .filter((path) => /\.test\.tsx?$/.test(path) && path.includes(filter))
    .sort();
