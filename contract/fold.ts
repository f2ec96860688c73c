const LETTERS_WITH_MARKS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}])\p{M}+/gu;
const ARABIC_MARKS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;
const INVISIBLE_CHARACTERS = /[\u02be\u02bf\u02bb\u02bc\u200b-\u200f\u2060\ufeff\u00ad]|[\ufe00-\ufe0f\u20e3]/gu;
/** Letters that have a different form at the end of a word, and Russian's ё, whose dots are optional. */
const LETTER_VARIANTS: Readonly<Record<string, string>> = { ё: 'е', ς: 'σ', ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };

/**
 * Text normalization for search (case and diacritics folding): returns the form that search compares, without
 * differences of case, marks and letter forms.
 */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(LETTERS_WITH_MARKS, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(ARABIC_MARKS, '')
    .replace(INVISIBLE_CHARACTERS, '')
    .replace(/[ёςךםןףץ]/gu, (letter) => LETTER_VARIANTS[letter] ?? letter);
