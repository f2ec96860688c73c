/** As the contract has it for a preset's name. */
const LONGEST = 64;
/** Control characters, and those that turn the direction of what stands after them. */
const UNSEEN = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Makes a name of a stranger's text: one line, no characters that cannot be seen, not longer than names are. */
export function clippedName(text: string): string {
  let name = '';
  for (const character of text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim()) {
    if (name.length + character.length > LONGEST) break;
    name += character;
  }
  return name.trim();
}
