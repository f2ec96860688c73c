/// <reference path="./snowball-stemmers.d.ts" />
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import snowball from 'snowball-stemmers';
import { foldText } from '../../contract/fold.ts';

// Search tokenizer: the only code that turns text into comparable terms, for both database engines and both sides of a
// search. The text of a post, the query of a reader and the highlighted hits pass through the same steps, so both
// engines find the same posts.
//
// In a script that has a stemmer, a word is found by its stem, in all its forms. In other scripts with spaces between
// words, a word is found by any part of it. In scripts without spaces, text is found by pairs of characters; then
// `containsRuns` in `search.ts` checks in the text itself that the pairs are adjacent. Parts of words and unfinished
// words are looked up among all the spellings that posts have (`spellings`), so they add nothing to the index.

const STEMMERS = {
  Cyrillic: snowball.newStemmer('russian'),
  Arabic: snowball.newStemmer('arabic'),
  Latin: snowball.newStemmer('english'),
};

/** Word of a post: its index term, and the spellings whose prefixes also match it. */
export interface IndexTerm {
  readonly term: string;
  readonly spellings: readonly string[];
}

/** Range of a text, in UTF-16 code units, with its index terms. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly IndexTerm[];
  readonly run?: string;
}

/**
 * Maximum length of an index term. A longer word is found by its first 64 characters: PostgreSQL does not accept words
 * over 2046 bytes.
 */
const MAX_TERM_LENGTH = 64;
/**
 * Maximum length of a spelling. A longer word is a machine's name or address and is only found by its complete text.
 */
const MAX_SPELLING_LENGTH = 32;

const INVISIBLE = '[\\u200b-\\u200f\\u2060\\ufeff\\u00ad]';
const WORD_CHARACTER = '[\\p{L}\\p{N}\\p{M}]';
/** Scripts without spaces between words; their own punctuation is excluded. */
const UNSPACED = `(?:(?=${WORD_CHARACTER})[${['Han', 'Hira', 'Kana', 'Thai', 'Laoo', 'Khmr', 'Mymr'].map((name) => `\\p{scx=${name}}`).join('')}])`;
const SPACED = `(?:(?!${UNSPACED})${WORD_CHARACTER})`;

const WORD_PATTERN = new RegExp(`${WORD_CHARACTER}+(?:(?:${INVISIBLE}+|['’])${WORD_CHARACTER}+)*`, 'gu');
const HAS_UNSPACED = new RegExp(UNSPACED, 'u');
/** Splits a word where scripts with and without spaces meet. */
const RUN_PATTERN = new RegExp(`(${UNSPACED}+)|${SPACED}(?:${INVISIBLE}*${SPACED}|['’]${SPACED})*`, 'gu');
/** Hashtag. It may contain invisible characters, which its term omits. */
export const HASHTAG_PATTERN = new RegExp(`[#＃](?:${WORD_CHARACTER}|_|${INVISIBLE})+`, 'gu');
/** Character of a script without spaces, with the mark that turns a kana into another one. */
const UNSPACED_CHARACTER_PATTERN = /.[\u3099\u309a\uff9e\uff9f]?/gsu;
const FOLDED_WORD_PATTERN = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;

/** Returns the script of a word, if a stemmer exists for it; null otherwise. */
export const scriptOf = (word: string): keyof typeof STEMMERS | null => {
  if (/\p{Script=Cyrillic}/u.test(word)) return 'Cyrillic';
  if (/\p{Script=Arabic}/u.test(word)) return 'Arabic';
  return /\p{Script=Latin}/u.test(word) ? 'Latin' : null;
};

/** Returns every suffix of a word that starts with a letter and has at least two characters, and the word itself. */
const suffixesOf = (word: string): string[] => {
  const letters = [...word];
  const suffixes = letters.flatMap((letter, index) => (/\p{M}/u.test(letter) ? [] : [letters.slice(index).join('')]));
  return suffixes.filter((suffix, index) => index === 0 || [...suffix].length > 1);
};

const toIndexTerm = (folded: string): IndexTerm => {
  const spelling = folded.replace(/['’]/gu, '');
  if (spelling.length > MAX_TERM_LENGTH) return { term: spelling.slice(0, MAX_TERM_LENGTH), spellings: [] };
  const script = scriptOf(folded);
  const stemmed = script === null ? spelling : STEMMERS[script].stem(folded.replaceAll('’', "'")).replaceAll("'", '');
  const term = stemmed || spelling;
  // Words with digits have no spellings, so they match only completely: there are too many of them, and no reader
  // completes them.
  if (spelling.length > MAX_SPELLING_LENGTH || /\p{N}/u.test(spelling)) return { term, spellings: [] };
  return { term, spellings: script === null ? suffixesOf(spelling) : [spelling] };
};

/**
 * Cache of index terms by word: news repeats its words, and a stemmer takes some microseconds. It is cleared when full.
 */
const termCache = new Map<string, readonly IndexTerm[]>();
const MAX_CACHED_WORDS = 50_000;

/** Computes and caches the index terms of a word in a script with spaces. */
const computeSpacedTerms = (word: string): readonly IndexTerm[] => {
  const terms = (foldText(word).match(FOLDED_WORD_PATTERN) ?? []).map(toIndexTerm);
  if (termCache.size >= MAX_CACHED_WORDS) termCache.clear();
  termCache.set(word, terms);
  return terms;
};

/** Characters of a text whose words are processed in one slice: about 7 ms. */
const SLICE_LENGTH = 2048;

/**
 * Computes the index terms of a text's words and caches them, in slices between which the event loop runs. A
 * transaction that indexes the text afterwards takes a third of the time.
 */
export async function warmTermCache(text: string): Promise<void> {
  for (let from = 0; from < text.length; from += SLICE_LENGTH) {
    extractIndexTerms(text.slice(from, from + SLICE_LENGTH));
    await yieldToEventLoop();
  }
}

const exactTerm = (word: string): IndexTerm => ({ term: word, spellings: [] });

/** Folded letter, and its range in the text. */
export interface Letter {
  readonly letter: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the folded letters of a run and their positions. Most runs are folded already, and folding each letter takes
 * microseconds.
 */
const lettersOf = (run: string, from: number): Letter[] => {
  const isFolded = foldText(run) === run;
  return [...run.matchAll(UNSPACED_CHARACTER_PATTERN)].flatMap(({ 0: character, index }) => {
    const [start, end] = [from + index, from + index + character.length];
    return (isFolded ? [character] : [...foldText(character)]).map((letter) => ({ letter, start, end }));
  });
};

/** Returns the characters of a run in a script without spaces, and its pairs. */
const unspacedSpans = (run: string, from: number): { characters: TextSpan[]; pairs: TextSpan[] } => {
  const letters = lettersOf(run, from);
  const characters = letters.map(({ letter, start, end }) => ({ start, end, terms: [exactTerm(letter)] }));
  const pairs = letters.slice(1).map(({ letter, end }, index) => {
    const previous = letters[index];
    return { start: previous?.start ?? end, end, terms: [exactTerm(`${previous?.letter ?? ''}${letter}`)] };
  });
  return { characters, pairs };
};

/** Returns the hashtags of a text. */
export const hashtagSpans = (text: string): TextSpan[] =>
  [...text.matchAll(HASHTAG_PATTERN)].flatMap(({ 0: tag, index }) => {
    const name = foldText(tag).replace(/[^\p{L}\p{N}\p{M}_]/gu, '');
    return name === ''
      ? []
      : [{ start: index, end: index + tag.length, terms: [exactTerm(`#${name.slice(0, MAX_TERM_LENGTH)}`)] }];
  });

/** Selects, for an index or a query, the spans of a run in a script without spaces. */
export type SelectUnspacedSpans = (run: ReturnType<typeof unspacedSpans>) => TextSpan[];

const spansOfRuns = (word: string, from: number, selectSpans: SelectUnspacedSpans): TextSpan[] =>
  [...word.matchAll(RUN_PATTERN)].flatMap(({ 0: part, 1: run, index }) =>
    run === undefined
      ? [{ start: from + index, end: from + index + part.length, terms: computeSpacedTerms(part) }]
      : selectSpans(unspacedSpans(run, from + index)),
  );

/** Splits a text into words. `selectSpans` selects the spans of a run without spaces. */
export const spansOfWords = (text: string, selectSpans: SelectUnspacedSpans): TextSpan[] =>
  [...text.matchAll(WORD_PATTERN)].flatMap(({ 0: word, index }) => {
    const terms = termCache.get(word) ?? (HAS_UNSPACED.test(word) ? null : computeSpacedTerms(word));
    return terms ? [{ start: index, end: index + word.length, terms }] : spansOfRuns(word, index, selectSpans);
  });

/** Returns all spans of a text, as they are indexed. */
export const allSpans = (text: string): TextSpan[] => [
  ...hashtagSpans(text),
  ...spansOfWords(text, ({ characters, pairs }) => [...characters, ...pairs]),
];

/**
 * Returns the index terms of a text: stems, `#tag` for each hashtag, single characters and pairs in scripts without
 * spaces.
 */
export const extractIndexTerms = (text: string): IndexTerm[] => [...new Set(allSpans(text).flatMap((span) => span.terms))];

/** Returns the letters of each run of a text. */
export const unspacedRuns = (text: string): Letter[][] =>
  [...text.matchAll(WORD_PATTERN)].flatMap(({ 0: word, index }) =>
    HAS_UNSPACED.test(word)
      ? [...word.matchAll(RUN_PATTERN)].flatMap(({ 1: run, index: offset }) =>
          run === undefined ? [] : [lettersOf(run, index + offset)],
        )
      : [],
  );
