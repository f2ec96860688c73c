// Slow regular expressions (ReDoS): runs each given expression on texts of growing length, and reports those that take far more
// than four times as long for a text four times as long. It is a process of its own: if an expression never ends, the parent
// kills the process and knows the name of the expression.
import type { Expression } from './expressions.ts';

/** Characters that patterns often match. */
const COMMON_CHARACTERS = [
  ' ',
  '\n',
  '\t',
  'a',
  'Z',
  '0',
  '-',
  '.',
  '/',
  '@',
  '<',
  '&',
  '=',
  '"',
  ';',
  '(',
  '#',
  '\u00a0',
  '\u0301',
  '\ufe0f',
  '\u0416',
];
const ENDINGS = ['', '\u0001', '\n'];
/**
 * In ms. A text that takes less time is fast, regardless of its growth. The shortest text is long enough that a quadratic
 * expression takes more.
 */
const MIN_MS = 1;
const MIN_LENGTH = 8000;
/**
 * A text four times as long takes four times as long if the time is linear, and 16 times if it is quadratic. A value in between
 * may be caused by the machine.
 */
const LENGTH_FACTOR = 4;
const MAX_TIME_FACTOR = 8;

/** Returns the literal texts of a pattern, longest first: alternatives and prefixes without their repetitions. */
const literalsOf = (source: string): string[] => {
  const plain = source
    .replace(/\\[pP]\{[^}]*\}|\[(?:\\.|[^\]\\])*\]|\{[\d,]+\}|\(\?<?[:!=]|\\[bBwWdDS]/g, '|')
    .replace(/\\s/g, ' ')
    .replace(/\\n/g, '\n')
    .replace(/\\(.)/g, '$1');
  const runs = plain.split(/[$^|()?*+]+/).filter((run) => run !== '');
  return [...new Set(runs)].sort((one, other) => other.length - one.length).slice(0, 12);
};

const timed = (expression: RegExp, text: string): number => {
  const startedAt = performance.now();
  text.replace(expression, '');
  return performance.now() - startedAt;
};
const shortestTime = (expression: RegExp, text: string): number => Math.min(...[1, 2, 3].map(() => timed(expression, text)));

/** Returns the times for a text and a longer one if the time grows quadratically; else null. */
function growth(expression: RegExp, textOfSize: (size: number) => string): number[] | null {
  if (timed(expression, textOfSize(MIN_LENGTH)) < MIN_MS) return null;
  const shortTime = shortestTime(expression, textOfSize(MIN_LENGTH));
  const longTime = shortestTime(expression, textOfSize(LENGTH_FACTOR * MIN_LENGTH));
  return shortTime >= MIN_MS && longTime > MAX_TIME_FACTOR * shortTime ? [shortTime, longTime] : null;
}

export interface Slow {
  readonly expression: Expression;
  readonly begins: string;
  readonly repeats: string;
  readonly ends: string;
  readonly times: readonly number[];
}

/** Returns the first text that is slow for an expression, or null. `attempts` counts the attempts. */
function slowText(expression: Expression, attempts: { count: number }): Slow | null {
  const compiled = new RegExp(expression.source, expression.flags);
  const literals = literalsOf(expression.source);
  const pieces = [
    ...new Set([...COMMON_CHARACTERS, ...literals, literals.join(''), ...literals.flatMap((each) => [`${each} `, `${each}a`])]),
  ];
  for (const begins of ['', ...literals.slice(0, 4), literals.join('')])
    for (const repeats of pieces.filter((each) => each !== ''))
      for (const ends of ENDINGS) {
        attempts.count += 1;
        const textOfSize = (size: number) => begins + repeats.repeat(Math.ceil(size / repeats.length)) + ends;
        const times = growth(compiled, textOfSize);
        if (times !== null) return { expression, begins, repeats, ends, times };
      }
  return null;
}

process.once('message', (expressions: readonly Expression[]) => {
  const attempts = { count: 0 };
  for (const expression of expressions) {
    process.send?.({ type: 'at', expression });
    const slow = slowText(expression, attempts);
    if (slow !== null) process.send?.({ type: 'slow', slow });
  }
  process.send?.({ type: 'done', count: attempts.count });
});
