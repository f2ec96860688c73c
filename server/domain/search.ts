/// <reference path="./snowball-stemmers.d.ts" />
import { setImmediate as breathe } from 'node:timers/promises';
import snowball from 'snowball-stemmers';
import { fold } from '../../contract/fold.ts';

// The one place that turns text into what search compares, for every engine and for both sides of a search: what a post is found
// by, what a reader typed and what is marked as found pass through the same steps, so that every engine finds the same.
//
// A word of the scripts that have a stemmer is found by its stem, in all its forms. A word of another script that puts spaces
// between words is found by any part of it, and a script without spaces by pairs of characters; that these stand together is seen
// in the text itself (`holdsRuns`). Parts and unfinished words are looked up among all the spellings that posts have (`parts`), so
// that they cost the index nothing.

const STEMMERS = {
  Cyrillic: snowball.newStemmer('russian'),
  Arabic: snowball.newStemmer('arabic'),
  Latin: snowball.newStemmer('english'),
};

/** A word of a post: what it is found by, and the spellings by whose beginnings it is found too. */
export interface Word {
  readonly word: string;
  readonly parts: readonly string[];
}

/**
 * What a post must be found by: `word` itself or, where there is a `part`, any word that has a spelling which begins with it; of
 * those the COMPLETIONS with the shortest spellings. `run` is what a pair of characters is from: all of it must stand together.
 */
export interface Wanted {
  readonly word: string;
  readonly part?: string;
  readonly run?: string;
  /** Beginning of spellings to find where no post matches. Stemmers give some forms of a word different stems ("люди", "людьми"). */
  readonly beginning?: string;
}

/** So many words stand for an unfinished one at most: each costs a search some 30 µs. */
export const COMPLETIONS = 100;

/** A run of a text, in UTF-16 code units, with what it is found by. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly words: readonly Word[];
  readonly run?: string;
}

/** A longer one is found by its beginning: PostgreSQL takes no word of over 2046 bytes. */
const LONGEST = 64;
/** A longer word is a name or an address of a machine's: found whole. */
const LONGEST_SPELLING = 32;

const INVISIBLE = '[\\u200b-\\u200f\\u2060\\ufeff\\u00ad]';
const SIGN = '[\\p{L}\\p{N}\\p{M}]';
/** Scripts that put no space between words; their own punctuation is none of it. */
const UNSPACED = `(?:(?=${SIGN})[${['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr'].map((name) => `\\p{scx=${name}}`).join('')}])`;
const SPACED = `(?:(?!${UNSPACED})${SIGN})`;

const WORD = new RegExp(`${SIGN}+(?:(?:${INVISIBLE}+|['’])${SIGN}+)*`, 'gu');
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
/** A word where scripts with and without spaces meet comes apart. */
const RUN = new RegExp(`(${UNSPACED}+)|${SPACED}(?:${INVISIBLE}*${SPACED}|['’]${SPACED})*`, 'gu');
const TAG = new RegExp(`[#＃](?:${SIGN}|_|${INVISIBLE})+`, 'gu');
/** A character of a script without spaces, with the mark that makes another of a kana. */
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

/** Every end of a word that begins with a letter and is no single one, the whole word too. */
const endsOf = (word: string): string[] => {
  const letters = [...word];
  const ends = letters.flatMap((letter, at) => (/\p{M}/u.test(letter) ? [] : [letters.slice(at).join('')]));
  return ends.filter((end, at) => at === 0 || [...end].length > 1);
};

const wordOf = (folded: string): Word => {
  const spelling = folded.replace(/['’]/gu, '');
  if (spelling.length > LONGEST) return { word: spelling.slice(0, LONGEST), parts: [] };
  const script = scriptOf(folded);
  const stemmed = script === null ? spelling : STEMMERS[script].stem(folded.replaceAll('’', "'")).replaceAll("'", '');
  // What holds digits is found whole: numbers are without end, and nobody completes them.
  const isSpelt = spelling.length <= LONGEST_SPELLING && !/\p{N}/u.test(spelling);
  return { word: stemmed || spelling, parts: isSpelt ? (script === null ? endsOf(spelling) : [spelling]) : [] };
};

/** What a word is found by is remembered: news repeats its words, and a stemmer costs some microseconds. Emptied when full. */
const remembered = new Map<string, readonly Word[]>();
const REMEMBERED = 50_000;

const spacedWords = (written: string): readonly Word[] => {
  const found = (fold(written).match(FOLDED_WORD) ?? []).map(wordOf);
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(written, found);
  return found;
};

/** Characters of a text whose words are worked out at once: about 7 ms. */
const SLICE = 2048;

/**
 * Works out what the words of a text are found by and remembers it, in slices between which the event loop runs. A transaction
 * that indexes the text afterwards takes a third of the time.
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

/** The letters of a run, folded, and where each was; most runs are as they should be, and folding each costs microseconds. */
const lettersOf = (run: string, from: number): Letter[] => {
  const isFolded = fold(run) === run;
  return [...run.matchAll(CHARACTER)].flatMap(({ 0: written, index }) => {
    const [start, end] = [from + index, from + index + written.length];
    return (isFolded ? [written] : [...fold(written)]).map((letter) => ({ letter, start, end }));
  });
};

/** The characters of a script without spaces, and its pairs. */
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
    return name === '' ? [] : [{ start: index, end: index + tag.length, words: [whole(`#${name.slice(0, LONGEST)}`)] }];
  });

type Characters = (run: ReturnType<typeof unspacedPieces>) => Piece[];

const runPieces = (written: string, from: number, characters: Characters): Piece[] =>
  [...written.matchAll(RUN)].flatMap(({ 0: each, 1: run, index }) =>
    run === undefined
      ? [{ start: from + index, end: from + index + each.length, words: spacedWords(each) }]
      : characters(unspacedPieces(run, from + index)),
  );

/** Takes a text apart into words; `characters` decides what of a run without spaces counts. */
const piecesOf = (text: string, characters: Characters): Piece[] =>
  [...text.matchAll(WORD)].flatMap(({ 0: written, index }) => {
    const words = remembered.get(written) ?? (HAS_UNSPACED.test(written) ? null : spacedWords(written));
    return words ? [{ start: index, end: index + written.length, words }] : runPieces(written, index, characters);
  });

const everyPiece = (text: string): Piece[] => [
  ...tagPieces(text),
  ...piecesOf(text, ({ characters, pairs }) => [...characters, ...pairs]),
];

/** Gives what a text is found by: stems, `#tag` for each hashtag, single characters and pairs where words are not spaced. */
export const wordsOf = (text: string): Word[] => [...new Set(everyPiece(text).flatMap((piece) => piece.words))];

/** Letters that an unfinished word has at least, and a part of a word where any part counts. */
const SHORTEST = { begun: 3, part: 2 };

/** Letters that an ending has at most, that the beginning before it has at least, and that both have at least. */
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

/** Returns what to look for where no post matches: words that begin as these do. Null where none of them has a beginning. */
export function loosened(wanted: readonly (readonly Wanted[])[]): (readonly Wanted[])[] | null {
  if (wanted.every((group) => group.every(({ beginning }) => beginning === undefined))) return null;
  return wanted.map((group) =>
    group.map(({ beginning, ...each }) => (beginning === undefined ? each : { ...each, part: beginning })),
  );
}

/** A run is looked for by its pairs; of three characters and more these might also be here and there. */
const unspacedToFind: Characters = ({ characters, pairs }) => {
  if (pairs.length < 2) return pairs.length === 0 ? characters : pairs;
  const run = characters.flatMap(({ words }) => words.map(({ word }) => word)).join('');
  return pairs.map((pair) => ({ ...pair, run }));
};

/**
 * Gives what must all be in a text for it to match a reader's query; none when the query holds no word. A last word that
 * nothing follows is still being typed: whatever begins with it counts. Hashtags are whole.
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

/** The letters of each run of a text. */
const unspacedRuns = (text: string): Letter[][] =>
  [...text.matchAll(WORD)].flatMap(({ 0: written, index }) =>
    HAS_UNSPACED.test(written)
      ? [...written.matchAll(RUN)].flatMap(({ 1: run, index: at }) => (run === undefined ? [] : [lettersOf(run, index + at)]))
      : [],
  );

const runsIn = (wanted: readonly Wanted[]): string[] => [...new Set(wanted.flatMap(({ run }) => run ?? []))];

/** Tells whether the characters that a query has together are together in a text; it has all their pairs. */
export const holdsRuns = (text: string, wanted: readonly Wanted[]): boolean => {
  const missing = runsIn(wanted).filter((run) => !text.includes(run));
  if (missing.length === 0) return true;
  const folded = fold(text);
  return missing.every((run) => folded.includes(fold(run)));
};

/** Where runs stand in a text, as pieces. */
const runsFound = (text: string, wanted: readonly string[]): Pick<Piece, 'start' | 'end'>[] =>
  unspacedRuns(text).flatMap((letters) => {
    // A letter may be two code units: each has its letter.
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

/** Finds the pieces of a text that match a word, else those that begin as it does. */
const piecesFound = (pieces: readonly Piece[], wanted: Wanted): Piece[] => {
  const found = pieces.filter((piece) => isHit(piece, wanted));
  if (found.length > 0 || wanted.beginning === undefined) return found;
  return piecesFound(pieces, { word: wanted.word, part: wanted.beginning });
};

/** Says where a text holds what a query wants: UTF-16 offsets [start, end, start, end …], in order and apart. */
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
