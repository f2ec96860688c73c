/* Internationalization (i18n): loads the messages of a language, and provides them to the components. */
import { createContext, useContext } from 'react';
import type { Locale } from './locale.ts';
import { sourceLocale } from './locales/codes.ts';
import { words } from './locales/words.ts';
import { createMessages, english, type Messages } from './messages.ts';

export { capitalized, dateFormat } from './format.ts';
export { createMessages, english, type Messages, str, type Templates } from './messages.ts';

/** Loads the message templates of a language, once. Each target language is a separate chunk. */
export async function loadMessages(locale: Locale): Promise<Messages> {
  const messages = loadedMessages(locale) ?? (await importMessages(locale));
  messagesByLocale.set(locale, messages);
  return messages;
}

/** Returns a loaded language, so that a tag can render it immediately; undefined if it is not loaded. */
export const loadedMessages = (locale: Locale): Messages | undefined =>
  locale === sourceLocale ? english : messagesByLocale.get(locale);
const messagesByLocale = new Map<Locale, Messages>();

const importMessages = async (locale: Locale): Promise<Messages> =>
  locale === sourceLocale ? english : createMessages(locale, (await words[locale]()).templates);

export const MessagesContext = createContext<Messages>(english);

/** Returns the messages of the tag that contains this component. */
export const useMsg = (): Messages => useContext(MessagesContext);
