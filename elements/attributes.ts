/**
 * Kind of an attribute's value: text, a list of texts divided by commas, yes or no, a whole number, one from 1 to 100 (the API's most
 * posts at a time), an http(s) address, or one of these words.
 */
export type Kind = 'text' | 'list' | 'boolean' | 'id' | 'count' | 'address' | readonly string[];

/** A property's value as an attribute gives it; `refused` says what would have been taken. */
export type Reading =
  | { readonly type: 'value'; readonly value: string | number | boolean | undefined }
  | { readonly type: 'refused'; readonly expected: string };

const value = (read: string | number | boolean | undefined): Reading => ({ type: 'value', value: read });
const refused = (expected: string): Reading => ({ type: 'refused', expected });

/** Reads an attribute; null is an absent one. */
export function readAttribute(kind: Kind, raw: string | null): Reading {
  if (raw === null) return value(undefined);
  if (kind === 'text' || kind === 'list') return value(raw);
  if (kind === 'boolean') return readBoolean(raw);
  if (kind === 'id') return /^[1-9]\d{0,14}$/.test(raw.trim()) ? value(Number(raw)) : refused('a whole number from 1');
  if (kind === 'count') return /^([1-9]\d?|100)$/.test(raw.trim()) ? value(Number(raw)) : refused('a whole number from 1 to 100');
  if (kind === 'address') return readAddress(raw);
  return kind.includes(raw) ? value(raw) : refused(kind.join(' or '));
}

/** As HTML has it, being there is true; frameworks that only know strings say so with words. */
function readBoolean(raw: string): Reading {
  if (raw === '' || raw === 'true') return value(true);
  return raw === 'false' ? value(false) : refused('nothing, true or false');
}

/** An empty one says nothing; resolved, it would be the page's own. */
function readAddress(raw: string): Reading {
  if (raw.trim() === '') return value(undefined);
  if (!URL.canParse(raw, document.baseURI)) return refused('an http or https address');
  const url = new URL(raw, document.baseURI);
  return /^https?:$/.test(url.protocol) ? value(url.origin) : refused('an http or https address');
}

/** Writes a property back into its attribute; what is no plain value takes the attribute away. */
export function writeAttribute(element: HTMLElement, name: string, given: unknown): void {
  if (typeof given === 'boolean') element.toggleAttribute(name, given);
  else if (typeof given === 'string' || typeof given === 'number') element.setAttribute(name, String(given));
  else element.removeAttribute(name);
}

/**
 * Reads an array or object that a property was given, as what stands in the attribute: a list of texts can be written there,
 * anything else is refused.
 */
export function readRich(kind: Kind, given: object): Reading {
  if (kind !== 'list') return refused('a plain value');
  const isList = Array.isArray(given) && given.every((each) => typeof each === 'string' && !each.includes(','));
  return isList ? value(given.join()) : refused('a list of texts without commas');
}

/** channelId → channel-id. */
export const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The attribute of a property, and what HTML makes of the property's own name where a framework writes that down. */
export const spellings = (name: string): readonly string[] => [kebab(name), name.toLowerCase()];

/** An attribute's value by the property's name, whichever way it is spelt. */
export function spelt(element: Element, name: string): string | null {
  const [own = '', lowered = ''] = spellings(name);
  return element.getAttribute(own) ?? element.getAttribute(lowered);
}
