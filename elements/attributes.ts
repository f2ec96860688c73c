/* Attribute parser of the custom elements. */

/**
 * Kind of an attribute's value: text, a comma-separated list of texts, a boolean, a whole number, a count from 1 to 100
 * (100 is the API's maximum of posts per page), an http(s) address, or one of these strings.
 */
export type AttributeKind = 'text' | 'list' | 'boolean' | 'id' | 'count' | 'address' | readonly string[];

/** Result of parsing an attribute. `refused` means that the value is invalid; `expected` describes the valid values. */
export type AttributeReading =
  | { readonly type: 'value'; readonly value: string | number | boolean | undefined }
  | { readonly type: 'refused'; readonly expected: string };

const accepted = (value: string | number | boolean | undefined): AttributeReading => ({ type: 'value', value });
const rejected = (expected: string): AttributeReading => ({ type: 'refused', expected });

/** Parses an attribute; `raw` is null if it is absent. */
export function readAttribute(kind: AttributeKind, raw: string | null): AttributeReading {
  if (raw === null) return accepted(undefined);
  if (kind === 'text' || kind === 'list') return accepted(raw);
  if (kind === 'boolean') return readBoolean(raw);
  if (kind === 'id') return /^[1-9]\d{0,14}$/.test(raw.trim()) ? accepted(Number(raw)) : rejected('a whole number from 1');
  if (kind === 'count')
    return /^([1-9]\d?|100)$/.test(raw.trim()) ? accepted(Number(raw)) : rejected('a whole number from 1 to 100');
  if (kind === 'address') return readAddress(raw);
  return kind.includes(raw) ? accepted(raw) : rejected(kind.join(' or '));
}

/**
 * Parses a boolean attribute. As in HTML, a present attribute without a value is true; frameworks that only set strings
 * write "true" or "false".
 */
function readBoolean(raw: string): AttributeReading {
  if (raw === '' || raw === 'true') return accepted(true);
  return raw === 'false' ? accepted(false) : rejected('nothing, true or false');
}

/**
 * Parses an address. An empty value counts as absent, because resolving it would result in the address of the page
 * itself.
 */
function readAddress(raw: string): AttributeReading {
  if (raw.trim() === '') return accepted(undefined);
  if (!URL.canParse(raw, document.baseURI)) return rejected('an http or https address');
  const url = new URL(raw, document.baseURI);
  return /^https?:$/.test(url.protocol) ? accepted(url.origin) : rejected('an http or https address');
}

/** Reflects a property to its attribute. A value that is not a string, number or boolean removes the attribute. */
export function writeAttribute(element: HTMLElement, name: string, value: unknown): void {
  if (typeof value === 'boolean') element.toggleAttribute(name, value);
  else if (typeof value === 'string' || typeof value === 'number') element.setAttribute(name, String(value));
  else element.removeAttribute(name);
}

/**
 * Converts an array or object that was set as a property to the attribute's value. A list of texts can be converted;
 * anything else is rejected.
 */
export function readObjectValue(kind: AttributeKind, value: object): AttributeReading {
  if (kind !== 'list') return rejected('a plain value');
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && !item.includes(','));
  return isList ? accepted(value.join()) : rejected('a list of texts without commas');
}

/** Converts camelCase to kebab-case: channelId → channel-id. */
export const toKebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * Returns the attribute names of a property: the kebab-case name, and the lower-case name that HTML makes of a
 * property's name when a framework writes it as an attribute.
 */
export const attributeNames = (name: string): readonly string[] => [toKebabCase(name), name.toLowerCase()];

/** Returns an attribute's value by the property's name, in either spelling of the attribute. */
export function readSpelledAttribute(element: Element, name: string): string | null {
  const [kebabName = '', lowerCaseName = ''] = attributeNames(name);
  return element.getAttribute(kebabName) ?? element.getAttribute(lowerCaseName);
}
