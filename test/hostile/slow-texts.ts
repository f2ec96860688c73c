// Runs each regular expression that it is told on texts that grow, and says which take far more than four times as long for four times as much. A
// process of its own: one that never ends is ended from outside, by its name.
import type { Expression } from './expressions.ts';

/** Characters that patterns are about, whatever they say. */
const USUAL = [
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
const ENDS = ['', '\u0001', '\n'];
/** Below it a text is read in no time, however that grows; the shortest text is so long that what is quadratic is above, ms. */
const FLOOR = 1;
const SHORTEST = 8000;
/** For a text four times as long: four times the time where it is linear, 16 times where it is quadratic; what is between may be the machine. */
const LONGER = 4;
const GROWS = 8;

/** The letters that a pattern says in so many words, longest first: alternatives and prefixes without their repetitions. */
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
  const began = performance.now();
  text.replace(expression, '');
  return performance.now() - began;
};
const soonest = (expression: RegExp, text: string): number => Math.min(...[1, 2, 3].map(() => timed(expression, text)));

/** Returns how long a text and a longer one take where the time grows as squares do; else null. */
function growth(expression: RegExp, of: (size: number) => string): number[] | null {
  if (timed(expression, of(SHORTEST)) < FLOOR) return null;
  const short = soonest(expression, of(SHORTEST));
  const long = soonest(expression, of(LONGER * SHORTEST));
  return short >= FLOOR && long > GROWS * short ? [short, long] : null;
}

export interface Slow {
  readonly expression: Expression;
  readonly begins: string;
  readonly repeats: string;
  readonly ends: string;
  readonly times: readonly number[];
}

/** The first text that an expression is slow for, or null; `tried` counts. */
function slowText(expression: Expression, tried: { count: number }): Slow | null {
  const compiled = new RegExp(expression.source, expression.flags);
  const literals = literalsOf(expression.source);
  const pieces = [
    ...new Set([...USUAL, ...literals, literals.join(''), ...literals.flatMap((each) => [`${each} `, `${each}a`])]),
  ];
  for (const begins of ['', ...literals.slice(0, 4), literals.join('')])
    for (const repeats of pieces.filter((each) => each !== ''))
      for (const ends of ENDS) {
        tried.count += 1;
        const of = (size: number) => begins + repeats.repeat(Math.ceil(size / repeats.length)) + ends;
        const times = growth(compiled, of);
        if (times !== null) return { expression, begins, repeats, ends, times };
      }
  return null;
}

process.once('message', (expressions: readonly Expression[]) => {
  const tried = { count: 0 };
  for (const expression of expressions) {
    process.send?.({ type: 'at', expression });
    const slow = slowText(expression, tried);
    if (slow !== null) process.send?.({ type: 'slow', slow });
  }
  process.send?.({ type: 'done', count: tried.count });
});
