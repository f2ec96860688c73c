// Generated from lit-localize.json by `npm run fix`. Not to be edited.
export const sourceLocale = 'en';
export const targetLocales = ['ru', 'ar'] as const;
export const rightToLeft: readonly string[] = ["ar"];
