const MARKED = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Hebrew}])\p{M}+/gu;
const ARABIC_MARKS = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/gu;
const SILENT = /[\u02be\u02bf\u02bb\u02bc\u200b-\u200f\u2060\ufeff\u00ad]|[\ufe00-\ufe0f\u20e3]/gu;
/** Letters that are written otherwise at a word's end, and Russian's optional dots. */
const OTHERWISE: Readonly<Record<string, string>> = { ё: 'е', ς: 'σ', ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ' };

/** Gives a text in the one spelling that search compares: of case, marks and forms of letters nothing is left. */
export const fold = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(MARKED, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .replace(ARABIC_MARKS, '')
    .replace(SILENT, '')
    .replace(/[ёςךםןףץ]/gu, (letter) => OTHERWISE[letter] ?? letter);
