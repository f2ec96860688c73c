// Arbitrary values for fuzzing: any JSON and text, and valid samples with a part replaced.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';

const ROOT = join(import.meta.dirname, '../..');

const namesIn = (folder: string): string[] =>
  readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.ts'))
    .flatMap(
      (name) => readFileSync(join(ROOT, folder, name), 'utf8').match(/\b[a-z]+(?:_[a-z]+)+\b|(?<=')[a-zA-Z]{2,20}(?=')/g) ?? [],
    );

/** The words in the source of the parsers. Without them, a parser would reject almost every value at its first check. */
const NAMES = [...new Set(['contract', 'server/sources/telegram', 'server/sources/telegram-export'].flatMap(namesIn))].sort();

/** Names that every object inherits, even if nobody sent them. */
const INHERITED = ['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'toJSON', 'hasOwnProperty', 'length'];

/** Texts with a special meaning for some parser. */
export const TEXTS: readonly string[] = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  ']]><x/>',
  '--><b>',
  '&lt;&#0;&amp;',
  'javascript:alert(1)',
  'java\tscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://user:pass@host.example:99999/',
  'https://[::1]/',
  '\u0000\u0001\u001f\u007f\u0085',
  '\u202e\u2066gpj.exe\u200d\ufeff',
  '\ud83d',
  '\ude00x',
  '\ud83d\ude00'.repeat(5),
  `e${'\u0301'.repeat(200)}`,
  'a'.repeat(5000),
  '../../../etc/passwd',
  'a\r\nSet-Cookie: b=c',
  '%00%ff%',
  '9'.repeat(400),
  '-1',
  '1e999',
];

export const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.tuple(fc.string({ maxLength: 9 }), fc.constantFrom(...TEXTS)).map((parts) => parts.join('')) },
);

const number = fc.oneof(
  fc.constantFrom(0, -0, 1, -1, 2, 255, 2 ** 31, 2 ** 33, 2 ** 53, -(2 ** 53), 1e308, 0.5, -1_001_500_000_001),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const primitive = fc.oneof(fc.constantFrom(null, true, false), number, text);
const key = fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom(...INHERITED), text);

/** Creates an object with JSON.parse, as for received data. There `__proto__` is a name like any other. */
const objectOf = (pairs: readonly (readonly [string, unknown])[]): unknown =>
  JSON.parse(`{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`);

const nested = (depth: number, open: string, close: string): unknown => JSON.parse(open.repeat(depth) + close.repeat(depth));

/** Any JSON value. */
export const json: fc.Arbitrary<unknown> = fc.letrec<{ value: unknown }>((self) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    primitive,
    fc.array(self('value'), { maxLength: 5 }),
    fc.array(fc.tuple(key, self('value')), { maxLength: 6 }).map(objectOf),
    fc.constantFrom(
      nested(150, '[', ']'),
      nested(150, '{"text":[', ']}'),
      objectOf([
        ['toString', 1],
        ['valueOf', 1],
      ]),
    ),
  ),
})).value;

type Step = string | number;

const pathsIn = (value: unknown, path: readonly Step[] = []): (readonly Step[])[] => {
  if (typeof value !== 'object' || value === null || path.length > 20) return [path];
  const steps: readonly Step[] = Array.isArray(value) ? value.map((_, at) => at) : Object.keys(value);
  return [path, ...steps.flatMap((step) => pathsIn(Reflect.get(value, step), [...path, step]))];
};

/** Returns a copy with another value at a path; undefined removes the value. */
const withValueAt = (value: unknown, [step, ...rest]: readonly Step[], replacement: unknown): unknown => {
  if (step === undefined) return replacement;
  if (Array.isArray(value))
    return value.flatMap((one: unknown, at) => {
      const next = at === step ? withValueAt(one, rest, replacement) : one;
      return next === undefined ? [] : [next];
    });
  const entries = Object.entries(value ?? {}).map(
    ([name, one]) => [name, name === step ? withValueAt(one, rest, replacement) : one] as const,
  );
  return objectOf(entries.filter(([, one]) => one !== undefined));
};

const replacePart = (value: unknown, [at, replacement]: readonly [number, unknown]): unknown => {
  const paths = pathsIn(value);
  return withValueAt(value, paths[at % paths.length] ?? [], replacement) ?? null;
};

/** Valid values with up to four parts replaced or removed. */
export const mutated = (...samples: readonly unknown[]): fc.Arbitrary<unknown> =>
  fc
    .tuple(
      fc.constantFrom(...samples),
      fc.array(fc.tuple(fc.nat(10_000), fc.oneof({ weight: 5, arbitrary: json }, fc.constant(undefined))), { maxLength: 4 }),
    )
    .map(([sample, edits]) => edits.reduce(replacePart, sample));

/** Valid documents that are truncated, repeated, or have foreign text at up to four positions. */
export const mutatedText = (fragments: readonly string[], ...samples: readonly string[]): fc.Arbitrary<string> => {
  const edit = fc.record({
    at: fc.nat(10_000),
    cut: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(200)),
    put: fc.oneof(fc.constantFrom(...fragments), text),
    times: fc.constantFrom(1, 1, 1, 2, 300),
  });
  return fc.tuple(fc.constantFrom(...samples), fc.array(edit, { maxLength: 4 })).map(([sample, edits]) =>
    edits.reduce((document, { at, cut, put, times }) => {
      const from = at % (document.length + 1);
      return document.slice(0, from) + put.repeat(times) + document.slice(from + cut);
    }, sample),
  );
};
