/// <reference path="./snowball-stemmers.d.ts" />
import snowball from 'snowball-stemmers';

// The one place that turns text into what search compares, for both engines and for both sides of a search: what a post
// is found by and what a reader typed pass through the same steps, so that every engine finds the same.

const STEMMERS = {
  Cyrillic: snowball.newStemmer('russian'),
  Arabic: snowball.newStemmer('arabic'),
  Latin: snowball.newStemmer('english'),
};

const ARABIC_MARKS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;
const HALF_RINGS = /[\u02be\u02bf\u02bb\u02bc\u200b-\u200f\u2060\ufeff\u00ad]/gu;
const TAG = /#([\p{L}\p{N}\p{M}_]+)/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}\p{M}]+)*/gu;
/** Scripts that put no space between words: found by pairs of characters. */
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]+/gu;

/** A stem is remembered: news repeats its words, and a stemmer costs some microseconds. Emptied when full. */
const remembered = new Map<string, string>();
const REMEMBERED = 50_000;
const LONGEST = 64;

const fold = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(ARABIC_MARKS, '')
    .replace(HALF_RINGS, '')
    .replaceAll('ё', 'е');

const scriptOf = (word: string): keyof typeof STEMMERS | null =>
  /\p{Script=Cyrillic}/u.test(word)
    ? 'Cyrillic'
    : /\p{Script=Arabic}/u.test(word)
      ? 'Arabic'
      : /\p{Script=Latin}/u.test(word)
        ? 'Latin'
        : null;

const stem = (word: string): string => {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const script = word.length > LONGEST ? null : scriptOf(word);
  const stemmed = script === null ? word.slice(0, LONGEST) : STEMMERS[script].stem(word);
  const found = stemmed.replace(/['’]/gu, '') || word;
  if (remembered.size >= REMEMBERED) remembered.clear();
  remembered.set(word, found);
  return found;
};

const pairs = (run: string, alone: boolean): string[] => {
  const letters = [...run];
  const twos = letters.slice(1).map((letter, at) => `${letters[at]}${letter}`);
  return alone || letters.length === 1 ? [...letters, ...twos] : twos;
};

const plainWords = (folded: string, alone: boolean): string[] => {
  const unspaced = [...folded.matchAll(UNSPACED)].flatMap(([run]) => pairs(run, alone));
  const spaced = [...folded.replace(UNSPACED, ' ').matchAll(WORD)].map(([word]) => stem(word.replaceAll('’', "'")));
  return [...spaced, ...unspaced];
};

/** Gives what a text is found by: stems, `#tag` for each hashtag, single characters and pairs where words are not spaced. */
export const wordsOf = (text: string): string[] => {
  const folded = fold(text);
  const tags = [...folded.matchAll(TAG)].map(([, tag]) => `#${tag}`);
  return [...new Set([...tags, ...plainWords(folded, true)])];
};

/** Gives what must all be in a text for it to match a reader's query; none when the query holds no word. */
export const wordsToFind = (query: string): string[] => {
  const folded = fold(query.slice(0, 400));
  const tags = [...folded.matchAll(TAG)].map(([, tag]) => `#${tag}`);
  return [...new Set([...tags, ...plainWords(folded.replace(TAG, ' '), false)])];
};
