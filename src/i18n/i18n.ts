import { createContext, useContext } from 'react';
import type { Locale } from './locale.ts';
import { sourceLocale } from './locales/codes.ts';
import { words } from './locales/words.ts';
import { createMessages, english, type Messages } from './messages.ts';

export { capitalized, dateFormat } from './format.ts';
export { createMessages, english, type Messages, str, type Templates } from './messages.ts';

/** Loads a language's templates, once; each target language is a chunk of its own. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const messages = heldMessages(locale) ?? (await importMessages(locale));
  held.set(locale, messages);
  return messages;
}

/** Gives a language that has been loaded, so that a tag can render it at once. */
export const heldMessages = (locale: Locale): Messages | undefined => (locale === sourceLocale ? english : held.get(locale));
const held = new Map<Locale, Messages>();

const importMessages = async (locale: Locale): Promise<Messages> =>
  locale === sourceLocale ? english : createMessages(locale, (await words[locale]()).templates);

export const MessagesContext = createContext<Messages>(english);

/** The messages of the tag this component lives in. */
export const useMsg = (): Messages => useContext(MessagesContext);
