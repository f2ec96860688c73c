import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { babelParse } from 'vue/compiler-sfc';

const ROOT = join(import.meta.dirname, '../..');

/** A regular expression as it is written in the code. */
export interface Expression {
  readonly location: string;
  readonly source: string;
  readonly flags: string;
}

const isNode = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Yields every regular expression literal in a node, by the kind of the node in the syntax tree and not by its text. */
function* literalsIn(node: unknown): Generator<{ pattern: string; flags: string; line: number }> {
  if (!isNode(node)) return;
  const { type, pattern, flags, loc } = node;
  if (type === 'RegExpLiteral') {
    const start = isNode(loc) && isNode(loc.start) ? loc.start.line : 0;
    yield { pattern: String(pattern), flags: String(flags), line: Number(start) };
    return;
  }
  for (const [name, value] of Object.entries(node)) {
    if (name === 'loc' || name.endsWith('Comments') || name === 'tokens') continue;
    for (const each of Array.isArray(value) ? value : [value]) yield* literalsIn(each);
  }
}

/** Returns every regular expression literal in the code of a folder. */
export const expressionsIn = (folder: string): Expression[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.includes('i18n/locales'))
    .flatMap((name) => {
      const tree: unknown = babelParse(readFileSync(join(ROOT, folder, name), 'utf8'), {
        sourceType: 'module',
        plugins: ['typescript', ...(name.endsWith('x') ? (['jsx'] as const) : [])],
      }).program;
      return [...literalsIn(tree)].map(({ pattern, flags, line }) => ({
        location: `${join(folder, name)}:${line}`,
        source: pattern,
        flags,
      }));
    });
