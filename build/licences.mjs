import { existsSync } from 'node:fs';
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

const readPackage = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

const titleOf = ({ name, version, license }) => `${name} ${version} (${license})\n\n`;

/** Gives the texts of licences in a folder, '' where there is none. */
async function textIn(folder) {
  const files = (await readdir(folder)).filter((file) => TEXT.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => `${text.trim()}\n`).join('\n');
}

async function noticeOf(folder) {
  const described = await readPackage(folder);
  const { name, license, author } = described;
  if (!ALLOWED.has(license)) throw new Error(`build: the licence of ${name} is ${license}: see build/licences.mjs`);
  if (WITHOUT_TEXT.has(name) && license === 'MIT' && typeof author === 'string')
    return titleOf(described) + (await readFile('LICENSE', 'utf8')).replace(COPYRIGHT, `Copyright (c) ${author}`);
  const text = await textIn(folder);
  if (text === '') throw new Error(`build: ${name} has no text of its licence: see build/licences.mjs`);
  return titleOf(described) + text;
}

/** Puts notices into one text, a line between each and the next. */
const together = (notices) => notices.join(`\n${'-'.repeat(80)}\n\n`);

/**
 * Writes the licences of all packages whose code is in the build. Throws where one is not among those that let it be shipped, or
 * has no text.
 */
export async function writeLicences(place, metafiles) {
  const notices = await Promise.all(packagesOf(metafiles).map(noticeOf));
  const own = `Channel Changer\n\n${(await readFile('LICENSE', 'utf8')).trim()}\n\nThe packages that its server runs with: /licences-server.txt\n`;
  await writeFile(place, together([own, ...notices.sort()]));
}

/** What a package holds of another one, which it sends to browsers (/api/docs), and a package with the text of that one's licence. */
const HELD = { '@fastify/swagger-ui': { name: 'swagger-ui-dist', license: 'Apache-2.0', textIn: 'node_modules/sharp' } };

/** Gives the packages that are installed without those for development, as the lock tells them apart. */
async function productionOf(root) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.keys(packages).filter((path) => path !== '' && packages[path].dev !== true);
  // What is for other systems is in the lock and not on the disk.
  return folders.map((path) => join(root, path)).filter((folder) => existsSync(join(folder, 'package.json')));
}

/** Gives the address where a package is kept, which npm lets be written in several ways. */
function addressOf(repository) {
  const written = String(repository?.url ?? repository);
  const address = written.replace(/^git\+/, '').replace(/^git:/, 'https:');
  return (/^[\w.-]+\/[\w.-]+$/.test(address) ? `https://github.com/${address}` : address).replace(/\.git$/, '');
}

/** Says where a package without a text comes from, and what it says of licences elsewhere: those of libraries that it holds. */
async function sourceOf(folder, { repository }) {
  const readme = (await readdir(folder)).find((file) => /^readme(\.md)?$/i.test(file));
  const parts = readme === undefined ? [] : (await readFile(join(folder, readme), 'utf8')).split(/^(?=#+ )/m);
  const said = parts.find((part) => /^#+ licen[cs]/i.test(part));
  return `It comes without the text. Its source: ${addressOf(repository)}\n${said === undefined ? '' : `\n${said.trim()}\n`}`;
}

async function serverNoticesOf(folder) {
  const described = await readPackage(folder);
  const { name, license, devDependencies } = described;
  if (typeof license !== 'string' || license === '' || license === 'UNLICENSED')
    throw new Error(`build: ${name} says no licence: see build/licences.mjs`);
  const notice = titleOf(described) + ((await textIn(folder)) || (await sourceOf(folder, described)));
  const held = HELD[name];
  return held === undefined
    ? [notice]
    : [notice, titleOf({ ...held, version: devDependencies[held.name] }) + (await textIn(held.textIn))];
}

/**
 * Writes the licences of the packages that the server runs with, which are installed beside the build: they only have to be named.
 * Throws where one says none.
 */
export async function writeServerLicences(place, root) {
  const notices = await Promise.all((await productionOf(root)).map(serverNoticesOf));
  await writeFile(place, together(notices.flat().sort()));
}
