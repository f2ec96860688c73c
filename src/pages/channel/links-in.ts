import type { Entity } from '../../../contract/post.ts';

const LINK = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)\]}»”’]|(?<![\w@])@[a-z]\w{3,31}/gi;

/** Finds the addresses and names in a channel's description, which sources give as plain text. */
export const linksIn = (text: string): Entity[] =>
  [...text.matchAll(LINK)].map(({ 0: found, index }) => ({
    type: found.startsWith('@') ? 'mention' : 'url',
    offset: index,
    length: found.length,
  }));
