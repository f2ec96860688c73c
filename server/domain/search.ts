/// <reference path="./snowball-stemmers.d.ts" />
import { setImmediate as breathe } from 'node:timers/promises';
import snowball from 'snowball-stemmers';
import { fold } from '../../contract/fold.ts';

// Search tokenizer: the only code that turns text into comparable terms, for both database engines and both sides of a search.
// The text of a post, the query of a reader and the highlighted hits pass through the same steps, so both engines find the same
// posts.
//
// In a script that has a stemmer, a word is found by its stem, in all its forms. In other scripts with spaces between words, a
// word is found by any part of it. In scripts without spaces, text is found by pairs of characters; that these are adjacent is
// checked in the text itself (`holdsRuns`). Parts of words and unfinished words are looked up among all the spellings that posts
// have (`parts`), so they add nothing to the index.

const STEMMERS = {
  Cyrillic: snowball.newStemmer('russian'),
  Arabic: snowball.newStemmer('arabic'),
  Latin: snowball.newStemmer('english'),
};

/** Word of a post: its index term, and the spellings whose prefixes also match it. */
export interface Word {
  readonly word: string;
  readonly parts: readonly string[];
}

/**
 * Term that a post must match: `word` itself or, with a `part`, any word that has a spelling with this prefix; of these, the
 * COMPLETIONS with the shortest spellings. `run` is the whole sequence of characters that a pair comes from: it must occur
 * without interruption.
 */
export interface Wanted {
  readonly word: string;
  readonly part?: string;
  readonly run?: string;
  /** Prefix to look up if no post matches. Stemmers return different stems for some forms of a word ("люди", "людьми"). */
  readonly beginning?: string;
}

/** Maximum number of words that an unfinished word expands to: each costs a search about 30 µs. */
export const COMPLETIONS = 100;

/** Range of a text, in UTF-16 code units, with its index terms. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
  readonly run?: string;
}

/**
 * Maximum length of an index term. A longer word is found by its first 64 characters: PostgreSQL does not accept words over 2046
 * bytes.
 */
const MAX_TERM_LENGTH = 64;
/** Maximum length of a spelling. A longer word is a machine's name or address and is only found as a whole. */
const MAX_SPELLING_LENGTH = 32;

const INVISIBLE = '[\\u200b-\\u200f\\u2060\\ufeff\\u00ad]';
const SIGN = '[\\p{L}\\p{N}\\p{M}]';
/** Scripts without spaces between words; their own punctuation is excluded. */
const UNSPACED = `(?:(?=${SIGN})[${['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr'].map((name) => `\\p{scx=${name}}`).join('')}])`;
const SPACED = `(?:(?!${UNSPACED})${SIGN})`;

const WORD = new RegExp(`${SIGN}+(?:(?:${INVISIBLE}+|['’])${SIGN}+)*`, 'gu');
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
/** Splits a word where scripts with and without spaces meet. */
const RUN = new RegExp(`(${UNSPACED}+)|${SPACED}(?:${INVISIBLE}*${SPACED}|['’]${SPACED})*`, 'gu');
const TAG = new RegExp(`[#＃](?:${SIGN}|_|${INVISIBLE})+`, 'gu');
/** Character of a script without spaces, with the mark that turns a kana into another one. */
const CHARACTER = /.[\u3099\u309a\uff9e\uff9f]?/gsu;
const FOLDED_WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

const scriptOf = (word: string): keyof typeof STEMMERS | null =>
  /\p{Script=Cyrillic}/u.test(word)
    ? 'Cyrillic'
    : /\p{Script=Arabic}/u.test(word)
      ? 'Arabic'
      : /\p{Script=Latin}/u.test(word)
        ? 'Latin'
        : null;

/** Returns every suffix of a word that starts with a letter and has at least two characters, and the word itself. */
const endsOf = (word: string): string[] => {
  const letters = [...word];
  const ends = letters.flatMap((letter, at) => (/\p{M}/u.test(letter) ? [] : [letters.slice(at).join('')]));
  return ends.filter((end, at) => at === 0 || [...end].length > 1);
};

const wordOf = (folded: string): Word => {
  const spelling = folded.replace(/['’]/gu, '');
  if (spelling.length > MAX_TERM_LENGTH) return { word: spelling.slice(0, MAX_TERM_LENGTH), parts: [] };
  const script = scriptOf(folded);
  const stemmed = script === null ? spelling : STEMMERS[script].stem(folded.replaceAll('’', "'")).replaceAll("'", '');
  // Words with digits are only found as a whole: there is no end of numbers, and no reader completes them.
  const isSpelt = spelling.length <= MAX_SPELLING_LENGTH && !/\p{N}/u.test(spelling);
  return { word: stemmed || spelling, parts: isSpelt ? (script === null ? endsOf(spelling) : [spelling]) : [] };
};

/** Cache of index terms by word: news repeats its words, and a stemmer takes some microseconds. It is cleared when full. */
const remembered = new Map<string, readonly Word[]>();
const REMEMBERED = 50_000;

const spacedWords = (written: string): readonly Word[] => {
  const found = (fold(written).match(FOLDED_WORD) ?? []).map(wordOf);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(written, found);
  return found;
};

/** Characters of a text whose words are processed in one slice: about 7 ms. */
const SLICE = 2048;

/**
 * Computes the index terms of a text's words and caches them, in slices between which the event loop runs. A transaction that
 * indexes the text afterwards takes a third of the time.
 */
export async function rememberWords(text: string): Promise<void> {
  for (let from = 0; from < text.length; from += SLICE) {
    wordsOf(text.slice(from, from + SLICE));
    await breathe();
  }
}

const whole = (word: string): Word => ({ word, parts: [] });

interface Letter {
  readonly letter: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the folded letters of a run and their positions. Most runs are folded already, and folding each letter takes
 * microseconds.
 */
const lettersOf = (run: string, from: number): Letter[] => {
  const isFolded = fold(run) === run;
  return [...run.matchAll(CHARACTER)].flatMap(({ 0: written, index }) => {
    const [start, end] = [from + index, from + index + written.length];
    return (isFolded ? [written] : [...fold(written)]).map((letter) => ({ letter, start, end }));
  });
};

/** Returns the characters of a run in a script without spaces, and its pairs. */
const unspacedPieces = (run: string, from: number): { characters: Piece[]; pairs: Piece[] } => {
  const letters = lettersOf(run, from);
  const characters = letters.map(({ letter, start, end }) => ({ start, end, words: [whole(letter)] }));
  const pairs = letters.slice(1).map(({ letter, end }, at) => {
    const before = letters[at];
    return { start: before?.start ?? end, end, words: [whole(`${before?.letter ?? ''}${letter}`)] };
  });
  return { characters, pairs };
};

const tagPieces = (text: string): Piece[] =>
  [...text.matchAll(TAG)].flatMap(({ 0: tag, index }) => {
    const name = fold(tag).replace(/[^\p{L}\p{N}\p{M}_]/gu, '');
    return name === '' ? [] : [{ start: index, end: index + tag.length, words: [whole(`#${name.slice(0, MAX_TERM_LENGTH)}`)] }];
  });

type Characters = (run: ReturnType<typeof unspacedPieces>) => Piece[];

const runPieces = (written: string, from: number, characters: Characters): Piece[] =>
  [...written.matchAll(RUN)].flatMap(({ 0: each, 1: run, index }) =>
    run === undefined
      ? [{ start: from + index, end: from + index + each.length, words: spacedWords(each) }]
      : characters(unspacedPieces(run, from + index)),
  );

/** Splits a text into words. `characters` selects the pieces of a run without spaces. */
const piecesOf = (text: string, characters: Characters): Piece[] =>
  [...text.matchAll(WORD)].flatMap(({ 0: written, index }) => {
    const words = remembered.get(written) ?? (HAS_UNSPACED.test(written) ? null : spacedWords(written));
    return words ? [{ start: index, end: index + written.length, words }] : runPieces(written, index, characters);
  });

const everyPiece = (text: string): Piece[] => [
  ...tagPieces(text),
  ...piecesOf(text, ({ characters, pairs }) => [...characters, ...pairs]),
];

/** Returns the index terms of a text: stems, `#tag` for each hashtag, single characters and pairs in scripts without spaces. */
export const wordsOf = (text: string): Word[] => [...new Set(everyPiece(text).flatMap((piece) => piece.words))];

/** Minimum length, in letters, of an unfinished word, and of a part of a word in scripts where any part matches. */
const SHORTEST = { begun: 3, part: 2 };

/** Maximum length of an ending, minimum length of the prefix before it, and minimum length of both together, in letters. */
const ENDING = { most: 3, beginning: 3, word: 5 };

const wantedOf = ({ word, parts }: Word, isBegun: boolean): Wanted => {
  const [part] = parts;
  if (part === undefined) return { word };
  if (scriptOf(part) === null) return [...part].length >= SHORTEST.part ? { word, part } : { word };
  const isUnfinished = isBegun && part.length >= SHORTEST.begun;
  return { word, ...(isUnfinished && { part }), ...beginningOf(part) };
};

function beginningOf(spelling: string): Pick<Wanted, 'beginning'> {
  const letters = [...spelling];
  if (letters.length < ENDING.word) return {};
  return { beginning: letters.slice(0, Math.max(ENDING.beginning, letters.length - ENDING.most)).join('') };
}

/** Returns the terms to look up if no post matches: words with the same prefixes. Null if no term has a prefix. */
export function loosened(wanted: readonly (readonly Wanted[])[]): (readonly Wanted[])[] | null {
  if (wanted.every((group) => group.every(({ beginning }) => beginning === undefined))) return null;
  return wanted.map((group) =>
    group.map(({ beginning, ...each }) => (beginning === undefined ? each : { ...each, part: beginning })),
  );
}

/**
 * Returns the pairs of a run. Pairs of three or more characters also get the whole run, because each pair might occur elsewhere
 * in the text.
 */
const unspacedToFind: Characters = ({ characters, pairs }) => {
  if (pairs.length < 2) return pairs.length === 0 ? characters : pairs;
  const run = characters.flatMap(({ words }) => words.map(({ word }) => word)).join('');
  return pairs.map((pair) => ({ ...pair, run }));
};

/**
 * Returns the terms that a text must all contain to match a reader's query; an empty list if the query contains no word. A last
 * word that nothing follows is still being typed, so it matches as a prefix. Hashtags match as a whole.
 */
export const wordsToFind = (query: string): Wanted[] => {
  const typed = query.slice(0, 400);
  const tags = tagPieces(typed);
  const plain = piecesOf(
    typed.replace(TAG, (tag) => ' '.repeat(tag.length)),
    unspacedToFind,
  );
  const wanted = [...tags, ...plain].flatMap(({ words, end, run }) =>
    words.map((word) => (run === undefined ? wantedOf(word, end === query.length) : { word: word.word, run })),
  );
  return [...new Map(wanted.map((each) => [`${each.word} ${each.part ?? ''} ${each.run ?? ''}`, each])).values()];
};

const joined = (letters: readonly Letter[]): string => letters.map(({ letter }) => letter).join('');

/** Returns the letters of each run of a text. */
const unspacedRuns = (text: string): Letter[][] =>
  [...text.matchAll(WORD)].flatMap(({ 0: written, index }) =>
    HAS_UNSPACED.test(written)
      ? [...written.matchAll(RUN)].flatMap(({ 1: run, index: at }) => (run === undefined ? [] : [lettersOf(run, index + at)]))
      : [],
  );

const runsIn = (wanted: readonly Wanted[]): string[] => [...new Set(wanted.flatMap(({ run }) => run ?? []))];

/** Returns whether the runs of a query occur without interruption in a text that contains all their pairs. */
export const holdsRuns = (text: string, wanted: readonly Wanted[]): boolean => {
  const missing = runsIn(wanted).filter((run) => !text.includes(run));
  if (missing.length === 0) return true;
  const folded = fold(text);
  return missing.every((run) => folded.includes(fold(run)));
};

/** Returns the positions of runs in a text, as pieces. */
const runsFound = (text: string, wanted: readonly string[]): Pick<Piece, 'start' | 'end'>[] =>
  unspacedRuns(text).flatMap((letters) => {
    // A letter may be two code units; each unit maps to its letter.
    const units = letters.flatMap((each) => each.letter.split('').map(() => each));
    const own = joined(letters);
    return wanted.flatMap((run) =>
      placesIn(own, run).flatMap((at) => {
        const [first, last] = [units[at], units[at + run.length - 1]];
        return first && last ? [{ start: first.start, end: last.end }] : [];
      }),
    );
  });

const placesIn = (text: string, part: string): number[] => {
  const places: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) places.push(at);
  return places;
};

const isHit = (piece: Piece, { word, part }: Wanted): boolean =>
  piece.words.some((each) => each.word === word || (part !== undefined && each.parts.some((own) => own.startsWith(part))));

/** Returns the pieces of a text that match a term; if there are none, those with the same prefix. */
const piecesFound = (pieces: readonly Piece[], wanted: Wanted): Piece[] => {
  const found = pieces.filter((piece) => isHit(piece, wanted));
  if (found.length > 0 || wanted.beginning === undefined) return found;
  return piecesFound(pieces, { word: wanted.word, part: wanted.beginning });
};

/** Returns the positions of a query's hits in a text: UTF-16 offsets [start, end, start, end …], ordered and not overlapping. */
export const hitsIn = (text: string, wanted: readonly Wanted[]): number[] => {
  const runs = runsIn(wanted);
  const others = wanted.filter(({ run }) => run === undefined);
  const pieces = everyPiece(text);
  const found = [...others.flatMap((each) => piecesFound(pieces, each)), ...(runs.length > 0 ? runsFound(text, runs) : [])];
  const hits: number[] = [];
  for (const { start, end } of found.sort((one, other) => one.start - other.start)) {
    const last = hits.at(-1);
    if (last === undefined || start > last) hits.push(start, end);
    else hits[hits.length - 1] = Math.max(last, end);
  }
  return hits;
};
