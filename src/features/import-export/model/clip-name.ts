/** Maximum length of a preset's name (contract). */
const MAX_NAME_LENGTH = 64;
/** Control characters, and characters that change the text direction of the following text. */
const INVISIBLE_CHARACTERS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Clips a name: returns untrusted text on one line, without invisible characters, and clipped to the maximum length of
 * a name. Never splits a surrogate pair.
 */
export function clipName(text: string): string {
  let name = '';
  for (const character of text.replace(INVISIBLE_CHARACTERS, ' ').replace(/\s+/g, ' ').trim()) {
    if (name.length + character.length > MAX_NAME_LENGTH) break;
    name += character;
  }
  return name.trim();
}
