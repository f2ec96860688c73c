// Vocabulary check: names, comments and documents use the standard terms of the field. A fault names the term to use.

import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Exported names that no module may declare, and the terms to use. */
const BANNED_NAMES = {
  Place: 'path, cursor, scrollAnchor or slot',
  Told: 'VersionStamp, TabMessage or PageMeta',
  Standing: 'status, cursor or props',
  Kept: 'StoredFile or LocalStore',
  Held: 'Cached or CacheEntry',
  Thing: 'Query',
  Things: 'QueryCache',
  Inside: 'DataContext',
  Leaf: 'PostChunk',
  Leaves: 'PostChunks',
  Word: 'SearchTerm or message',
  Words: 'RichText or messages',
  Say: 'LogFn',
  Refusal: 'HttpError',
  Readable: 'Signal',
  Cell: 'WritableSignal',
  Watched: 'WatchedSignal',
  Telling: 'EventPayload',
  Hearing: 'Subscription',
  Happening: 'Event',
  Shelf: 'KeyValueStore',
  Room: 'freeSpace or page',
  Door: 'adapter',
  Asked: 'request or query',
  Given: 'props or preloaded state',
  Grants: 'UrlSignatures',
  Audience: 'AccessScope',
};

/** Names that several files declare deliberately, with the reason. Every other exported name belongs to one file. */
const SHARED_NAMES = {
  ChangerElement: 'the build writes the type of the npm package from the elements',
  Post: 'the component shows the post of the contract',
  define: 'the build replaces the function by a stub to read the elements',
};

/** Constants whose names have no noun or no unit. */
const BANNED_CONSTANTS = /^(MOST|LONGEST|DEEPEST|MANY|AT_ONCE|PATIENCE|REST|LOOK|LATE|AGAIN|SLACK|GATHER)(_|$)/;

/** First words of a comment that begins with neither a subject nor a standard verb. */
const BANNED_OPENINGS = /^(What|Who|Whoever|Whose|Whom|Whether|Which|One|Those|Says?|Gives?|Notes?|Tells?|Answers)\b/;

/** Private words and phrases in comments and documents, and the terms to use. */
const BANNED_WORDS = [
  [/\bwhoever\b/i, 'the client, the caller or the reader'],
  [/\bsay how to stop|answers how to stop|what ends that\b/i, 'returns a function that unsubscribes'],
  [/\bnobody's\b/i, 'anonymous or unused'],
  [/\banew\b/i, 'again'],
  [/\bbreathes?\b/i, 'yields to the event loop'],
];

const MAX_PARAGRAPH_WORDS = 100;

const SOURCE_FILE = /^(src|server|elements|contract|sw|build|scripts|examples|bench)\/.*\.(ts|tsx|mjs)$/;
/** Translations are generated, and this module contains the private words themselves. */
const EXCLUDED_FILE = /^src\/i18n\/locales\/|^scripts\/vocabulary\.mjs$/;
/** Benchmarks are programs of their own, so their exported names may be those of the product. */
const BENCHMARK_FILE = /^bench\//;
const DOCUMENT_FILE = /^(docs\/.*|[A-Z]+)\.md$/;

const COMMENT = /\/\*\*?([\s\S]*?)\*\/|(?:^|[\s;{(,])\/\/ ?([^\n]*(?:\n[ \t]*\/\/ ?[^\n]*)*)/g;
const EXPORTED_NAME =
  /^export (?:default )?(?:async )?(?:declare )?(?:abstract )?(?:function\*?|const|let|class|interface|type|enum) (\w[\w$]*)/gm;

/**
 * Checks all files that git tracks or would add.
 * @returns {Promise<string[]>} a line for each fault: `file:line: fault`
 */
export async function checkVocabulary() {
  const output = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' });
  return checkFiles('.', output.trim().split('\n'));
}

/**
 * Checks files of a folder. Files that are neither sources nor documents are ignored.
 * @param {string} root
 * @param {readonly string[]} paths relative to `root`
 * @returns {Promise<string[]>} a line for each fault: `file:line: fault`
 */
export async function checkFiles(root, paths) {
  const sources = paths.filter((path) => SOURCE_FILE.test(path) && !EXCLUDED_FILE.test(path));
  const documents = paths.filter((path) => DOCUMENT_FILE.test(path));
  const faults = [];
  const declarations = [];
  for (const path of sources) {
    const text = await readText(root, path);
    faults.push(...findSourceFaults(text).map((fault) => ({ path, ...fault })));
    if (!BENCHMARK_FILE.test(path))
      declarations.push(...findExportedNames(text).map((declaration) => ({ path, ...declaration })));
  }
  for (const path of documents)
    faults.push(...findDocumentFaults(await readText(root, path)).map((fault) => ({ path, ...fault })));
  faults.push(...findSharedNames(declarations));
  return faults.map(({ path, line, fault }) => `${path}:${line}: ${fault}`);
}

/** Returns the text of a file, or '' for a tracked file that was deleted. */
async function readText(root, path) {
  return readFile(join(root, path), 'utf8').catch((error) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
}

/** Returns the faults of a source: of its comments, of its constants and of the names that it exports. */
function findSourceFaults(source) {
  const faults = [];
  for (const { line, text } of findComments(source)) {
    const [opening] = BANNED_OPENINGS.exec(text) ?? [];
    if (opening !== undefined) {
      const fault = `a comment begins with "${opening}": begin with the subject, or with a verb (Returns, Parses, Stores)`;
      faults.push({ line, fault });
    }
    faults.push(...findBannedWords(text).map((fault) => ({ line, fault: `in a comment, ${fault}` })));
  }
  for (const { 1: name, index } of source.matchAll(/^(?:export )?const ([A-Z][A-Z_\d]*)\b/gm)) {
    if (!BANNED_CONSTANTS.test(name)) continue;
    const fault = `the constant ${name}: write MAX_… with its noun, or the time with its unit (…_TIMEOUT_MS)`;
    faults.push({ line: lineAt(source, index), fault });
  }
  for (const { name, line } of findExportedNames(source))
    if (Object.hasOwn(BANNED_NAMES, name)) faults.push({ line, fault: `the exported name ${name}: write ${BANNED_NAMES[name]}` });
  return faults;
}

/** Returns the faults of a document: private words, and long paragraphs. Tables and blocks of code are ignored. */
function findDocumentFaults(text) {
  const faults = [];
  let isCode = false;
  let paragraph = { line: 0, words: 0 };
  const endParagraph = () => {
    const { line, words } = paragraph;
    if (words > MAX_PARAGRAPH_WORDS)
      faults.push({ line, fault: `a paragraph of ${words} words: split it, at most ${MAX_PARAGRAPH_WORDS}` });
  };
  for (const [index, content] of text.split('\n').entries()) {
    const isFence = content.startsWith('```');
    if (isFence) isCode = !isCode;
    const isProse = !isFence && !isCode && !/^[#|]/.test(content);
    if (!isProse || /^\s*$|^\s*(- |\d+\. )/.test(content)) {
      endParagraph();
      paragraph = { line: 0, words: 0 };
    }
    if (!isProse) continue;
    if (paragraph.words === 0) paragraph.line = index + 1;
    paragraph.words += content.split(/\s+/).filter(Boolean).length;
    faults.push(...findBannedWords(content).map((fault) => ({ line: index + 1, fault })));
  }
  endParagraph();
  return faults;
}

/** Returns a fault for each private word in a text. */
function findBannedWords(text) {
  return BANNED_WORDS.flatMap(([pattern, term]) => {
    const [word] = pattern.exec(text) ?? [];
    return word === undefined ? [] : [`"${word}": write ${term}`];
  });
}

/** Returns a fault for each declaration of a name that another file exports as well. */
function findSharedNames(declarations) {
  const firstPaths = new Map();
  const faults = [];
  for (const { path, line, name } of declarations) {
    const firstPath = firstPaths.get(name) ?? path;
    firstPaths.set(name, firstPath);
    if (path === firstPath || Object.hasOwn(SHARED_NAMES, name)) continue;
    faults.push({ path, line, fault: `the exported name ${name} is also declared in ${firstPath}: rename one of them` });
  }
  return faults;
}

/** Returns the comments with their lines, without comment marks. Adjacent line comments are one comment. */
function findComments(source) {
  return [...source.matchAll(COMMENT)].map(({ 0: match, 1: block, 2: lines, index }) => ({
    line: lineAt(source, index + /^\s*/.exec(match)[0].length),
    text: (block ?? lines)
      .replace(/\n[ \t]*(\*|\/\/) ?/g, '\n')
      .replace(/^[\s*]+/, '')
      .trim(),
  }));
}

/** Returns the names that a module declares and exports, with their lines. */
function findExportedNames(source) {
  return [...source.matchAll(EXPORTED_NAME)].map(({ 1: name, index }) => ({ name, line: lineAt(source, index) }));
}

/** Returns the line of an offset, counted from 1. */
function lineAt(source, offset) {
  return source.slice(0, offset).split('\n').length;
}
