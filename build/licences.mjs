import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licences, by their SPDX names, that let code be shipped with their text beside it. */
const ALLOWED = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'CC0-1.0', 'Unlicense']);
/** Under MIT by what they say of themselves, without its text, which is the same as ours but for who has the copyright. */
const WITHOUT_TEXT = new Set(['@r2wc/core', '@r2wc/react-to-web-component']);
const COPYRIGHT = /^Copyright .*$/m;
const TEXT = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Gives the folder of each package that the bundler's records say code was taken from. */
function packagesOf(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  return [...new Set(folders)];
}

async function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (!ALLOWED.has(license)) throw new Error(`build: the licence of ${name} is ${license}: see build/licences.mjs`);
  const title = `${name} ${version} (${license})\n\n`;
  if (WITHOUT_TEXT.has(name) && license === 'MIT' && typeof author === 'string')
    return title + (await readFile('LICENSE', 'utf8')).replace(COPYRIGHT, `Copyright (c) ${author}`);
  const files = (await readdir(folder)).filter((file) => TEXT.test(file)).sort();
  if (files.length === 0) throw new Error(`build: ${name} has no text of its licence: see build/licences.mjs`);
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return `${title}${texts.map((text) => text.trim()).join('\n\n')}\n`;
}

/**
 * Writes the licences of all packages whose code is in the build. Throws where one is not among those that let it be shipped, or
 * has no text.
 */
export async function writeLicences(place, metafiles) {
  const notices = await Promise.all(packagesOf(metafiles).map(noticeOf));
  const own = `Channel Changer\n\n${(await readFile('LICENSE', 'utf8')).trim()}\n`;
  await writeFile(place, [own, ...notices.sort()].join(`\n${'-'.repeat(80)}\n\n`));
}
