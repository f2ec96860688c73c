/* Properties of a tag whose code has not loaded yet. */
import { PRERENDER_ATTRIBUTES, type PrerenderedTag } from '../../contract/prerender.ts';
import { writeAttribute } from '../attributes.ts';

/** Attributes that every tag has, without those that every HTML element has as properties. */
const ATTRIBUTES = ['theme', 'accent', 'api', 'grant', 'density', 'loading', 'hydrate'];

/**
 * Reflects the properties that a site sets on a tag before its code has loaded, so that they have an effect at once. The
 * tag's class takes them over (elements/define-element.ts): it removes these accessors and sets the values again.
 */
export function reflectEarlyProperties(tag: HTMLElement, name: PrerenderedTag): void {
  for (const attribute of [...ATTRIBUTES, ...PRERENDER_ATTRIBUTES[name]]) reflectProperty(tag, attribute);
}

function reflectProperty(tag: HTMLElement, attribute: string): void {
  const property = attribute.replace(/-./, ([, letter = '']) => letter.toUpperCase());
  const earlyValue: unknown = Reflect.get(tag, property);
  /** Value that was set, and its text. */
  let current: unknown;
  let text: string | null = null;
  const read = () => tag.getAttribute(attribute);
  Object.defineProperty(tag, property, {
    configurable: true,
    enumerable: true,
    get: () => (text === read() ? current : read()),
    set(value: unknown) {
      current = value;
      writeAttribute(tag, attribute, Array.isArray(value) ? value.join() : value);
      text = read();
    },
  });
  if (earlyValue !== undefined) Reflect.set(tag, property, earlyValue);
}
