import { nullable, type Parse, shape, string } from '../contract/shape.ts';
import { pickLocale } from '../src/i18n/locale.ts';
import { createMessages, type Messages } from '../src/i18n/messages.ts';
import { find } from './dom.ts';

/** Language of the page: its code, and its own name. */
export type Language = readonly [code: string, name: string];

const texts: Parse<Record<string, string>> = (raw, at) =>
  Object.fromEntries(
    Object.entries(typeof raw === 'object' && raw !== null ? raw : {}).map(([key, text]) => [key, string(text, `${at}.${key}`)]),
  );

const words = shape<{ tags: string; templates: Record<string, string> | null; languages: Record<string, string> }>({
  tags: string,
  templates: nullable(texts),
  languages: texts,
});

/** Messages and languages of the page. */
export interface Translated {
  readonly m: Messages;
  readonly languages: readonly Language[];
  /** URL of `custom-elements.json` with the descriptions in this language. */
  readonly tags: string;
}

/**
 * Messages of the examples page: reads the data that the build put into the page, that is the messages of its language and the
 * names of all languages.
 */
export function readMessages(): Translated {
  const { tags, templates, languages } = words(JSON.parse(find('words', HTMLScriptElement).textContent), 'index.html');
  const m = createMessages(pickLocale([document.documentElement.lang]), templates ?? undefined);
  return { m, languages: Object.entries(languages), tags };
}
