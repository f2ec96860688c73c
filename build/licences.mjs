// Licences: writes the licence texts of the packages in the build and of the packages of the server.
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Licences, by their SPDX names, that allow code to be shipped with their text next to it. */
const ALLOWED = new Set(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', 'CC0-1.0', 'Unlicense']);
/** Packages that declare MIT without its text. The text is that of our own licence, except for the copyright holder. */
const WITHOUT_TEXT = new Set(['@r2wc/core', '@r2wc/react-to-web-component']);
const COPYRIGHT = /^Copyright .*$/m;
const LICENCE_FILE_PATTERN = /^(licen[cs]e|copying|notice)([.-].*)?$/i;

/** Returns the folder of each package whose code is in the bundle, from the metafiles. */
function packagesOf(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const folders = inputs.flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? []);
  return [...new Set(folders)];
}

const readPackage = async (folder) => JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));

const titleOf = ({ name, version, license }) => `${name} ${version} (${license})\n\n`;

/** Returns the licence texts of a folder, '' if there is none. */
async function readLicenceTexts(folder) {
  const files = (await readdir(folder)).filter((file) => LICENCE_FILE_PATTERN.test(file)).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return texts.map((text) => `${text.trim()}\n`).join('\n');
}

/** Returns the title and the licence text of a package whose code is in the build. */
async function noticeOf(folder) {
  const description = await readPackage(folder);
  const { name, license, author } = description;
  if (!ALLOWED.has(license)) throw new Error(`build: the licence of ${name} is ${license}: see build/licences.mjs`);
  if (WITHOUT_TEXT.has(name) && license === 'MIT' && typeof author === 'string')
    return titleOf(description) + (await readFile('LICENSE', 'utf8')).replace(COPYRIGHT, `Copyright (c) ${author}`);
  const text = await readLicenceTexts(folder);
  if (text === '') throw new Error(`build: ${name} has no licence text: see build/licences.mjs`);
  return titleOf(description) + text;
}

/** Joins notices into one text, with a line between them. */
const joinNotices = (notices) => notices.join(`\n${'-'.repeat(80)}\n\n`);

/**
 * Returns the licences of all packages whose code is in the build. Throws if a licence is not in the list of allowed
 * ones, or has no text.
 */
export async function licencesOf(metafiles) {
  const notices = await Promise.all(packagesOf(metafiles).map(noticeOf));
  return joinNotices(notices.sort());
}

/** Writes our licence and those of all packages whose code is in the build. Throws as `licencesOf` does. */
export async function writeLicences(path, metafiles) {
  const ownNotice = `Channel Changer\n\n${(await readFile('LICENSE', 'utf8')).trim()}\n\nThe packages that its server runs with: /licences-server.txt\n`;
  await writeFile(path, joinNotices([ownNotice, await licencesOf(metafiles)]));
}

/**
 * Packages that contain another package, which they send to browsers (`/api/docs`), and a package that has the licence
 * text of that one.
 */
const BUNDLED_PACKAGES = {
  '@fastify/swagger-ui': { name: 'swagger-ui-dist', license: 'Apache-2.0', textIn: 'node_modules/sharp' },
};

/** Returns the folders of the installed packages except development dependencies, as marked in the lock file. */
async function productionPackages(root) {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
  const folders = Object.keys(packages).filter((path) => path !== '' && packages[path].dev !== true);
  // Packages for other systems are in the lock file, but not on the disk.
  return folders.map((path) => join(root, path)).filter((folder) => existsSync(join(folder, 'package.json')));
}

/** Returns the URL of a package's repository. npm allows several notations for it. */
function repositoryUrl(repository) {
  const text = String(repository?.url ?? repository);
  const address = text.replace(/^git\+/, '').replace(/^git:/, 'https:');
  return (/^[\w.-]+\/[\w.-]+$/.test(address) ? `https://github.com/${address}` : address).replace(/\.git$/, '');
}

/**
 * Returns the source of a package that has no licence text, with the licence section of its README: that section
 * names the libraries that the package contains.
 */
async function describeSource(folder, { repository }) {
  const readme = (await readdir(folder)).find((file) => /^readme(\.md)?$/i.test(file));
  const sections = readme === undefined ? [] : (await readFile(join(folder, readme), 'utf8')).split(/^(?=#+ )/m);
  const licenceSection = sections.find((section) => /^#+ licen[cs]/i.test(section));
  return `The package contains no licence text. Its source: ${repositoryUrl(repository)}\n${licenceSection === undefined ? '' : `\n${licenceSection.trim()}\n`}`;
}

/** Returns the notices of a package of the server: its own, and that of a package that it contains. */
async function serverNoticesOf(folder) {
  const description = await readPackage(folder);
  const { name, license, devDependencies } = description;
  if (typeof license !== 'string' || license === '' || license === 'UNLICENSED')
    throw new Error(`build: ${name} declares no licence: see build/licences.mjs`);
  const notice = titleOf(description) + ((await readLicenceTexts(folder)) || (await describeSource(folder, description)));
  const bundled = BUNDLED_PACKAGES[name];
  return bundled === undefined
    ? [notice]
    : [notice, titleOf({ ...bundled, version: devDependencies[bundled.name] }) + (await readLicenceTexts(bundled.textIn))];
}

/** Length from which a licence text that several packages have is written only once, characters. */
const MIN_SHARED_TEXT_LENGTH = 2000;

/** Replaces a long licence text that an earlier notice contains by a reference to that notice. */
function shareTexts(notices) {
  const firstTitles = new Map();
  return notices.map((notice) => {
    const [title] = notice.split('\n', 1);
    const text = notice.slice(title.length);
    const firstTitle = firstTitles.get(text);
    if (text.length < MIN_SHARED_TEXT_LENGTH || firstTitle === undefined) {
      firstTitles.set(text, title);
      return notice;
    }
    return `${title}\n\nThe licence text is the same as that of ${firstTitle} above.\n`;
  });
}

/**
 * Writes the licences of the packages that the server uses at run time. They are installed next to the build, so they
 * only have to be named. Throws if a package declares no licence.
 */
export async function writeServerLicences(path, root) {
  const notices = await Promise.all((await productionPackages(root)).map(serverNoticesOf));
  await writeFile(path, joinNotices(shareTexts(notices.flat().sort())));
}
