// Import rules: generates the lint rules in biome.import-rules.json from the list in ARCHITECTURE.md.

import { readFile } from 'node:fs/promises';

const DOCUMENT = 'ARCHITECTURE.md';
/** The generated file; biome.json extends it. */
export const CONFIG = 'biome.import-rules.json';

/** Libraries that only one module may import, and that module. */
const ADAPTERS = [
  { libraries: ['axios', 'axios-cache-interceptor'], module: 'src/api/axios-transport.ts' },
  { libraries: ['idb', 'idb-keyval'], module: 'src/storage/**' },
  { libraries: ['@lit/localize', '@lit/localize/internal/id-generation.js'], module: 'src/i18n/**' },
  { libraries: ['@r2wc/react-to-web-component', '@r2wc/core'], module: 'elements/define-element.ts' },
  { libraries: ['navigo'], module: 'src/app/**' },
  { libraries: ['@aws-sdk/client-s3', '@aws-sdk/lib-storage'], module: 'server/media/s3/bucket.ts' },
];

/** Files that no other file of the folder may import. */
const ROOTS = {
  elements: { patterns: ['./changer-*.ts'], message: 'An element never imports an element.' },
  'src/features': { patterns: ['**/*Page.tsx', '!**/OperatorPage.tsx'], message: 'A page never imports a page.' },
};

/**
 * Parses the list: a line is `folder: what it may import`. A folder may also import what those folders may import.
 * Returns the folders that each may import, itself included.
 */
function parseImportRules(markdown) {
  const [, block] = /```import-rules\n(.*?)```/s.exec(markdown) ?? [];
  if (block === undefined) throw new Error(`${DOCUMENT} has no block of import rules`);
  const direct = new Map(
    block
      .trim()
      .split('\n')
      .map((line) => line.split(':'))
      .map(([folder, names = '']) => [folder.trim(), names.trim().split(/\s+/).filter(Boolean)]),
  );
  const collectReachable = (folder, reachable = new Set()) => {
    if (reachable.has(folder)) return reachable;
    reachable.add(folder);
    const names = direct.get(folder);
    if (names === undefined) throw new Error(`The import rules name ${folder}, but they have no line for it`);
    for (const name of names) collectReachable(name, reachable);
    return reachable;
  };
  return new Map([...direct.keys()].map((folder) => [folder, collectReachable(folder)]));
}

const topFolder = (path) => path.split('/')[0];
const parentFolder = (path) => path.split('/').slice(0, -1).join('/');
const isFile = (path) => /\.\w+$/.test(path);

/** Returns the patterns of import specifiers by which a folder would import one that it may not. */
function forbiddenPatterns(folder, target, importRules) {
  const targetNames = target.split('/');
  // Inside a top folder, a relative specifier ends with the last two folder names, or with the only one below the top
  // folder.
  const relativePath = targetNames.slice(targetNames.length > 2 ? -2 : -1).join('/');
  const path = topFolder(folder) === topFolder(target) ? relativePath : target;
  if (isFile(target)) return [`**/${path}`];
  const hasSubfolders = [...importRules.keys()].some((other) => other.startsWith(`${target}/`));
  const suffix = hasSubfolders ? '*.{ts,tsx}' : '**';
  // A sibling folder is imported without the name of the parent folder.
  const sibling = targetNames.at(-1);
  const isSibling = folder !== target && parentFolder(folder) === parentFolder(target);
  return [...new Set([`**/${path}/${suffix}`, ...(isSibling ? [`**/${sibling}/${suffix}`] : [])])];
}

/** Creates the lint rule for a folder or, if `file` is not null, for a file of it. */
function createRule(folder, file, importRules) {
  const allowed = importRules.get(folder);
  const topFolders = new Set([...importRules.keys()].map(topFolder));
  const globs = [];
  const allowedTops = new Set([...allowed].map(topFolder));
  const forbidden = [...importRules.keys()].filter((target) => !allowed.has(target) && allowedTops.has(topFolder(target)));
  const isInSameTop = (target) => topFolder(target) === topFolder(folder);
  for (const target of forbidden.filter(isInSameTop)) globs.push(...forbiddenPatterns(folder, target, importRules));
  // The patterns so far apply only to paths in the same top folder. The last pattern that matches is decisive.
  for (const top of topFolders) if (top !== topFolder(folder) && globs.length > 0) globs.push(`!**/${top}/**`);
  for (const target of forbidden.filter((target) => !isInSameTop(target)))
    globs.push(...forbiddenPatterns(folder, target, importRules));
  for (const top of topFolders) if (!allowedTops.has(top)) globs.push(`**/${top}/**`);
  const paths = ADAPTERS.filter(({ module }) => module !== file && !isWithin(folder, module)).flatMap(({ libraries, module }) =>
    libraries.map((library) => [library, `Only ${module} imports ${library}.`]),
  );
  const patterns = [
    { group: globs, message: `${folder} may not import this: see the import rules in ${DOCUMENT}.` },
    ...(ROOTS[folder] === undefined ? [] : [{ group: ROOTS[folder].patterns, message: ROOTS[folder].message }]),
  ].filter(({ group }) => group.length > 0);
  return { level: 'error', options: { paths: Object.fromEntries(paths), patterns } };
}

const isWithin = (folder, module) => module.endsWith('/**') && `${folder}/`.startsWith(module.slice(0, -2));

/**
 * Returns the lint rules that enforce the import rules. The more specific ones are last, because the last rule that
 * matches applies.
 */
function generateOverrides(importRules) {
  const folders = [...importRules.keys()].sort((a, b) => a.split('/').length - b.split('/').length);
  const files = ADAPTERS.filter(({ module }) => isFile(module)).map(({ module }) => module);
  const folderOf = (file) => folders.filter((folder) => file.startsWith(`${folder}/`)).at(-1);
  const override = (includes, rule) => ({
    includes,
    linter: { rules: { style: { noRestrictedImports: rule } } },
  });
  return [
    ...folders.map((folder) => override([isFile(folder) ? folder : `${folder}/**`], createRule(folder, null, importRules))),
    ...files.map((file) => override([file], createRule(folderOf(file), file, importRules))),
  ];
}

/** Returns the text of the lint rules for the current list, one override per line. */
export async function generateConfig() {
  const importRules = parseImportRules(await readFile(DOCUMENT, 'utf8'));
  const overrides = generateOverrides(importRules).map((override) => JSON.stringify(override));
  return `{ "overrides": [\n${overrides.join(',\n')}\n] }\n`;
}
