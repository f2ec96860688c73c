// Plural forms: checks that a translated message has every form that its language needs.

/** Matches the start of one form, as in `one: # new post`, or `=1: the only post` for a single number. */
const PLURAL_FORM = /^(=\d+|zero|one|two|few|many|other): /;

/** Returns true if a text consists of plural forms, of which `plural` in `src/i18n/messages.ts` selects one. */
export const isPlural = (text) => PLURAL_FORM.test(text);

/**
 * Returns a line for each fault in the plural forms of a language. Each of its plural categories must be present once,
 * and no others. If the source has `#`, every form that is used for several numbers must have it too.
 */
export function findPluralFaults(locale, text, source) {
  const forms = text.split(' | ').map((form) => ({ name: PLURAL_FORM.exec(form)?.[1], text: form.replace(PLURAL_FORM, '') }));
  const names = forms.map(({ name }) => name);
  const numbers = numbersByCategory(locale);
  const isUnknown = (name) => name !== undefined && !name.startsWith('=') && !numbers.has(name);
  const hasNumber = source.includes('#');
  return [
    ...[...numbers.keys()].filter((name) => !names.includes(name)).map((name) => `no form "${name}"`),
    ...names.filter(isUnknown).map((name) => `"${name}" is not a plural category of this language`),
    ...names.filter((name, index) => name !== undefined && names.indexOf(name) < index).map((name) => `"${name}" occurs twice`),
    ...forms.flatMap(({ name, text }) => {
      const count = text.split('#').length - 1;
      if (name === undefined) return [`"${text}" does not begin with the name of a plural form`];
      if (count > 1 || (count > 0 && !hasNumber)) return [`too many # in "${name}"`];
      return hasNumber && count === 0 && numbers.get(name)?.length > 1
        ? [`no # in "${name}", which is used for several numbers`]
        : [];
    }),
  ];
}

/**
 * Highest number that is classified: enough to see that Arabic's `two` is used only for 2, and Russian's `one` also for
 * 21.
 */
const MAX_CLASSIFIED_NUMBER = 1000;

/** Returns a language's plural categories, each with its numbers from 0 to `MAX_CLASSIFIED_NUMBER`. */
function numbersByCategory(locale) {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Map(rules.resolvedOptions().pluralCategories.map((name) => [name, []]));
  for (let number = 0; number <= MAX_CLASSIFIED_NUMBER; number++) numbers.get(rules.select(number)).push(number);
  return numbers;
}
