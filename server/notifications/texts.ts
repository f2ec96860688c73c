/** Texts that the server writes into notifications, and the language and direction of a text. */
import type { PayloadDirection } from '../../contract/notifications.ts';

interface Texts {
  /** Plural forms of a number of new posts. `#` is the number. */
  readonly newPosts: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string };
  readonly testTitle: string;
  readonly testBody: string;
  readonly open: string;
  readonly post: string;
  readonly photo: string;
  readonly video: string;
  readonly audio: string;
  readonly file: string;
}

const TEXTS: Readonly<Record<'en' | 'ru' | 'ar', Texts>> = {
  en: {
    newPosts: { one: '# new post', other: '# new posts' },
    testTitle: 'Notifications work',
    testBody: 'New posts will arrive like this.',
    open: 'Open',
    post: 'New post',
    photo: 'Photo',
    video: 'Video',
    audio: 'Audio',
    file: 'File',
  },
  ru: {
    newPosts: { one: '# новый пост', few: '# новых поста', many: '# новых постов', other: '# нового поста' },
    testTitle: 'Уведомления работают',
    testBody: 'Так будут приходить новые посты.',
    open: 'Открыть',
    post: 'Новый пост',
    photo: 'Фото',
    video: 'Видео',
    audio: 'Аудио',
    file: 'Файл',
  },
  ar: {
    newPosts: {
      one: 'منشور جديد واحد',
      two: 'منشوران جديدان',
      few: '# منشورات جديدة',
      many: '# منشورًا جديدًا',
      other: '# منشور جديد',
    },
    testTitle: 'الإشعارات تعمل',
    testBody: 'هكذا ستصل المنشورات الجديدة.',
    open: 'فتح',
    post: 'منشور جديد',
    photo: 'صورة',
    video: 'فيديو',
    audio: 'صوت',
    file: 'ملف',
  },
};

/** Returns the language of the texts for a locale: its own, or else English. */
export const textLanguage = (locale: string): keyof typeof TEXTS => {
  const language = locale.toLowerCase().split('-', 1)[0] ?? '';
  return language === 'ru' || language === 'ar' ? language : 'en';
};

/** Returns the texts for a locale. */
export const textsFor = (locale: string): Texts => TEXTS[textLanguage(locale)];

/** Returns "3 new posts" in the language of a locale. */
export const formatNewPosts = (locale: string, count: number): string => {
  const language = textLanguage(locale);
  const { newPosts } = TEXTS[language];
  const form = newPosts[new Intl.PluralRules(language).select(count)] ?? newPosts.other;
  return form.replace('#', new Intl.NumberFormat(language).format(count));
};

const FIRST_LETTER = /\p{L}/u;
const RTL_LETTER = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Languages that are written in a script. The first one is assumed for a text of unknown language. */
const LANGUAGES_BY_SCRIPT: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\p{Script=Cyrillic}/u, ['ru', 'uk', 'be', 'bg', 'sr', 'mk', 'kk', 'ky', 'mn', 'tg']],
  [/\p{Script=Arabic}/u, ['ar', 'fa', 'ur', 'ps', 'ckb', 'ug']],
  [/\p{Script=Hebrew}/u, ['he', 'yi']],
];

/** Returns the direction of a text: that of its first letter. */
export const guessDirection = (text: string): PayloadDirection =>
  RTL_LETTER.test(FIRST_LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';

/**
 * Returns the language of a post's text, by the script of its first letter: the reader's own language if it is written
 * in that script. Many languages are written in Latin letters, so the language of such a text is undetermined (`und`),
 * unless the reader's language is one of them.
 */
export const guessLanguage = (text: string, locale: string): string => {
  const letter = FIRST_LETTER.exec(text)?.[0] ?? '';
  const language = locale.toLowerCase().split('-', 1)[0] ?? '';
  const [, languages] = LANGUAGES_BY_SCRIPT.find(([script]) => script.test(letter)) ?? [];
  if (languages !== undefined) return languages.includes(language) ? language : (languages[0] ?? 'und');
  const isLatinReader = !LANGUAGES_BY_SCRIPT.some(([, others]) => others.includes(language));
  return letter === '' || (/\p{Script=Latin}/u.test(letter) && isLatinReader) ? language || 'und' : 'und';
};
