// Message generator: extracts the messages for translators, and generates the modules with the translations.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { readConfigFileAndWriteSchema } from '@lit/localize-tools/lib/config.js';
import { KnownError } from '@lit/localize-tools/lib/error.js';
import { sortProgramMessages } from '@lit/localize-tools/lib/messages.js';
import { RuntimeLitLocalizer } from '@lit/localize-tools/lib/modes/runtime.js';
import { extractMessagesFromProgram } from '@lit/localize-tools/lib/program-analysis.js';
import { stringifyDiagnostics } from '@lit/localize-tools/lib/typescript.js';
import { findPluralFaults, isPlural } from './plurals.mjs';

/**
 * Areas: parts of the app that few readers open. Messages that only one area uses are in separate modules,
 * `<outputDir>/<area>/<locale>.ts`, which `src/i18n/lazy-messages.ts` loads together with the area. All other messages
 * are in `<outputDir>/<locale>.ts`, which every reader loads.
 */
export const MESSAGE_AREAS = {
  account: ['src/features/account/'],
  appearance: ['src/features/appearance/'],
  arranging: [
    'src/features/dial/HelpSheet.tsx',
    'src/features/dial/edit/',
    'src/features/dial/unfollowed/',
    'src/features/feed/MutedPostsNotice.tsx',
    'src/features/lineup/MutedWordsSheet.tsx',
    'src/features/lineup/RowMenu.tsx',
    'src/features/presets/PresetEditor.tsx',
    'src/features/presets/PresetSheet.tsx',
  ],
  exchange: ['src/features/import-export/'],
  grid: ['src/features/channel/media-grid/'],
  jump: ['src/features/channel/date-jump/'],
  keys: [
    'src/features/layout/ShortcutsSheet.tsx',
    'src/features/post-list/PostMenu.tsx',
    'src/features/post-list/reading-shortcuts.ts',
    'src/features/post-list/too-many-unread.ts',
  ],
  notifications: ['src/features/notifications/'],
  operator: [
    'src/features/operator/',
    '!src/features/operator/ConnectOwnLink.tsx',
    '!src/features/operator/OperatorLink.tsx',
    '!src/features/operator/OperatorLoader.tsx',
    '!src/features/operator/OperatorPage.tsx',
  ],
  saved: ['src/features/saved-channels/'],
  search: ['src/features/search/', '!src/features/search/SearchField.tsx', '!src/features/search/SearchPage.tsx'],
  'self-test': ['src/features/diagnostics/', 'src/features/layout/StorageWarning.tsx'],
};

/**
 * Texts outside the app: the examples page, and the shell without scripts. Their modules contain all their messages,
 * including those that the app also uses, and the app loads none of them. Only the build reads `elements-frame` and
 * `no-script`.
 */
export const MESSAGE_PAGES = {
  'elements-frame': ['elements/docs.ts', 'examples/frame.ts'],
  'elements-page': ['examples/'],
  'no-script': ['src/app/inline/no-script.ts'],
};

/**
 * Returns true if a file is in an area: its path starts with one of `paths`, and with none of those that `!` excludes.
 */
export const isInArea = (file, paths) =>
  paths.some((path) => file.startsWith(path)) && !paths.some((path) => path[0] === '!' && file.startsWith(path.slice(1)));

/** Reads the settings of lit-localize. */
export const readLocalizeConfig = () => readConfigFileAndWriteSchema('lit-localize.json');

/**
 * Extracts every message into the files for translators (one per language) and generates the modules. All information
 * about the app's languages is in `lit-localize.json` and these files. Throws if a message or its translation is
 * malformed. A message without a translation stays English.
 */
export async function generateMessages(config) {
  const localizer = new RuntimeLitLocalizer(config);
  const { messages, isIn } = extractMessages(localizer.program, config);
  const { translations } = localizer.readTranslationsSync();
  await localizer.formatter.writeOutput(sortProgramMessages(messages), translations);
  const faults = [
    ...findMessageFaults(config.sourceLocale, messages, messages),
    ...[...translations].flatMap(([locale, translated]) => findMessageFaults(locale, messages, translated)),
  ];
  if (faults.length > 0) throw new KnownError(faults.join('\n'));
  writeModules(config.resolve(config.output.outputDir), generateModules(config, translations, isIn));
}

/**
 * Returns all messages, and a predicate for whether a message is in a module. A message is in the module of the area
 * that uses it. It is in the app's module ('') if several areas use it, or code outside the areas. It is also in the
 * module of each page of `MESSAGE_PAGES` that uses it.
 */
function extractMessages(program, config) {
  const messages = new Map();
  const sourceFiles = program.getSourceFiles().filter(({ isDeclarationFile }) => !isDeclarationFile);
  const isUnder = ({ fileName }, paths) => isInArea(relative(config.resolve('.'), fileName), paths);
  const moduleOf = (file) =>
    Object.entries({ ...MESSAGE_AREAS, ...MESSAGE_PAGES }).find(([, paths]) => isUnder(file, paths))?.[0] ?? '';
  const namesByModule = new Map();
  for (const module of ['', ...Object.keys(MESSAGE_AREAS), ...Object.keys(MESSAGE_PAGES)]) {
    const files = sourceFiles.filter((file) => moduleOf(file) === module);
    const extracted = extractMessagesFromProgram({ ...program, getSourceFiles: () => files });
    if (extracted.errors.length > 0) throw new KnownError(stringifyDiagnostics(extracted.errors));
    namesByModule.set(module, new Set(extracted.messages.map(({ name }) => name)));
    for (const message of extracted.messages) if (!messages.has(message.name)) messages.set(message.name, message);
  }
  const areasOf = (name) => ['', ...Object.keys(MESSAGE_AREAS)].filter((area) => namesByModule.get(area).has(name));
  const isIn = ({ name }, module) => {
    if (module in MESSAGE_PAGES) return namesByModule.get(module).has(name);
    const areas = areasOf(name);
    return areas.length > 0 && module === (areas.length === 1 ? areas[0] : '');
  };
  return { messages: [...messages.values()], isIn };
}

/** Returns a line for each malformed plural or placeholder. */
function findMessageFaults(locale, messages, translated) {
  const sources = new Map(messages.map((message) => [message.name, message.contents]));
  return translated.flatMap(({ name, contents }) => {
    const source = sources.get(name);
    if (source === undefined) return [];
    const [text, original] = [contents, source].map(toTemplate);
    const isPluralMessage = isPlural(original);
    const faults = [
      ...(isPluralMessage ? findPluralFaults(locale, text, original) : []),
      ...(isPluralMessage && source.length > 1 ? ['a plural message contains # and no other value'] : []),
      ...(source.some((part) => typeof part === 'string' && /\{\d\}/.test(part)) ? ['{0} is reserved for values'] : []),
      ...(String(placeholdersOf(contents)) === String(placeholdersOf(source))
        ? []
        : ['each placeholder must occur once, with its own id']),
    ];
    return faults.map((fault) => `${locale}: ${fault}: ${original}`);
  });
}

/**
 * Returns a message's text with its values as {0}, {1}… Adjacent values are one placeholder in the files for
 * translators.
 */
function toTemplate(contents) {
  const values = contents.filter((part) => typeof part !== 'string').sort((a, b) => a.index - b.index);
  const firstNumbers = new Map(
    values.map(({ index }, position) => [
      index,
      values.slice(0, position).reduce((sum, part) => sum + countPlaceholders(part), 0),
    ]),
  );
  const placeholdersIn = (part) =>
    Array.from({ length: countPlaceholders(part) }, (_, offset) => `{${firstNumbers.get(part.index) + offset}}`).join('');
  return contents.map((part) => (typeof part === 'string' ? part : placeholdersIn(part))).join('');
}

const countPlaceholders = ({ untranslatable }) => untranslatable.split('${').length - 1;

const placeholdersOf = (contents) =>
  contents
    .filter((part) => typeof part !== 'string')
    .map((part) => `${part.index}×${countPlaceholders(part)}`)
    .sort();

/** Returns the text of every module by its name. */
function generateModules({ sourceLocale, targetLocales }, translations, isIn) {
  const modules = new Map([
    ['codes.ts', codesModule(sourceLocale, targetLocales)],
    ['words.ts', `${generatedHeader('lit-localize.json')}export const words = ${importsOf(targetLocales, '.')};\n`],
    ['areas.ts', areasModule(targetLocales)],
  ]);
  for (const locale of targetLocales) {
    const messages = translations.get(locale) ?? [];
    for (const module of ['', ...Object.keys(MESSAGE_AREAS), ...Object.keys(MESSAGE_PAGES)]) {
      const moduleMessages = messages.filter((message) => isIn(message, module));
      modules.set(join(module, `${locale}.ts`), `${generatedHeader(`xlf/${locale}.xlf`)}${templatesOf(locale, moduleMessages)}`);
    }
  }
  return modules;
}

const generatedHeader = (source) => `// Generated from ${source} by \`npm run fix\`. Not to be edited.\n`;

const codesModule = (
  sourceLocale,
  targetLocales,
) => `${generatedHeader('lit-localize.json')}export const sourceLocale = '${sourceLocale}';
export const targetLocales = [${targetLocales.map((locale) => `'${locale}'`).join(', ')}] as const;
export const rightToLeft: readonly string[] = ${JSON.stringify(targetLocales.filter(isRightToLeft))};
`;

/** Returns true for a right-to-left language. Node versions have either `getTextInfo` or `textInfo`. */
function isRightToLeft(code) {
  const locale = new Intl.Locale(code);
  return (locale.getTextInfo?.() ?? locale.textInfo).direction === 'rtl';
}

const importsOf = (locales, folder) =>
  `{\n${locales.map((locale) => `  '${locale}': () => import('${folder}/${locale}.ts'),\n`).join('')}}`;

const areasModule = (locales) =>
  `${generatedHeader('lit-localize.json')}export const areas = {\n${Object.keys(MESSAGE_AREAS)
    .map((area) => `'${area}': ${importsOf(locales, `./${area}`)},\n`)
    .join('')}};\n`;

/**
 * Returns the module of a language. The key of a message is the last 6 characters of lit-localize's id, because random
 * characters do not compress; or an id that was set explicitly. `src/i18n/messages.ts` computes the same key.
 */
function templatesOf(locale, messages) {
  const texts = new Map();
  for (const { name, contents } of [...messages].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const key = /^s[\da-f]{16}$/.test(name) ? name.slice(-6) : name;
    if (texts.has(key))
      throw new KnownError(`${locale}: two messages have the key ${key}, give one an id: ${toTemplate(contents)}`);
    texts.set(key, toTemplate(contents));
  }
  return `export const templates: Record<string, string> = ${JSON.stringify(Object.fromEntries(texts), null, 2)};\n`;
}

/** Writes the modules that changed, and deletes modules that are no longer generated. */
function writeModules(folder, modules) {
  for (const [name, text] of modules) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
  for (const name of readdirSync(folder, { recursive: true }))
    if (name.endsWith('.ts') && !modules.has(name)) rmSync(join(folder, name));
}
