/*
 * Texts of the service worker. The server writes all other texts of notifications. The worker cannot load the app's
 * messages without a network, so these are here.
 */

interface Texts {
  readonly generic: string;
  readonly read: string;
}

const ENGLISH: Texts = { generic: 'New posts', read: 'Read on another device' };
const TEXTS: Readonly<Record<string, Texts>> = {
  ru: { generic: 'Новые посты', read: 'Прочитано на другом устройстве' },
  ar: { generic: 'منشورات جديدة', read: 'قُرئ على جهاز آخر' },
};

const textsOf = (language: string): Texts => TEXTS[language.split('-')[0] ?? ''] ?? ENGLISH;

/** Returns the title of a notification whose payload cannot be read. */
export const genericTitle = (language: string): string => textsOf(language).generic;

/** Returns the text of a notification whose posts were read on another device. It is visible for a second. */
export const readText = (language: string): string => textsOf(language).read;
