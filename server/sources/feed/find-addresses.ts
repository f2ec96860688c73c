import type { Entity } from '../../../contract/post.ts';

const ADDRESS = /\bhttps?:\/\/[^\s<>"«»“”]{3,2000}/giu;

/** Punctuation after an address is the sentence's; a closing bracket too, unless one was opened in it. */
const trimmed = (address: string): string => {
  const opens = /[([{]/.test(address);
  let end = address.length;
  for (; end > 0; end -= 1) {
    const last = address[end - 1] ?? '';
    if (/[.,;:!?'’…*_]/u.test(last)) continue;
    if (!/[)\]}]/.test(last) || opens) break;
  }
  return address.slice(0, end);
};

const TAKEN: ReadonlySet<string> = new Set(['text_link', 'code', 'pre']);

/** Finds addresses that are written out in a text, outside of links and code. */
export function findAddresses(text: string, entities: readonly Entity[]): Entity[] {
  const taken = entities.filter(({ type }) => TAKEN.has(type));
  const isFree = (offset: number) => !taken.some((each) => offset >= each.offset && offset < each.offset + each.length);
  return [...text.matchAll(ADDRESS)]
    .filter(({ index }) => isFree(index))
    .map(({ 0: found, index }) => ({ address: trimmed(found), index }))
    .filter(({ address }) => URL.canParse(address))
    .map(({ address, index }) => ({ type: 'url', offset: index, length: address.length }));
}
