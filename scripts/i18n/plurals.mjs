/** One form of a phrase that counts: `one: # new post`, or `=1: the only post` for one number alone. */
const FORM = /^(=\d+|zero|one|two|few|many|other): /;

/** Says whether a text is the forms of a phrase that counts, which `plural` of src/i18n/i18n.ts picks from. */
export const isPlural = (text) => FORM.test(text);

/**
 * Gives a line for whatever is wrong with the forms of a language: each of its plural categories stands once and no other,
 * and `#`, where the source has it, in all that are said of several numbers.
 */
export function faultsOfPlural(locale, text, source) {
  const forms = text.split(' | ').map((form) => ({ name: FORM.exec(form)?.[1], words: form.replace(FORM, '') }));
  const names = forms.map(({ name }) => name);
  const numbers = numbersOf(locale);
  const unknown = (name) => name !== undefined && !name.startsWith('=') && !numbers.has(name);
  const counted = source.includes('#');
  return [
    ...[...numbers.keys()].filter((name) => !names.includes(name)).map((name) => `no form "${name}"`),
    ...names.filter(unknown).map((name) => `"${name}" is no form of this language`),
    ...names.filter((name, index) => name !== undefined && names.indexOf(name) < index).map((name) => `"${name}" stands twice`),
    ...forms.flatMap(({ name, words }) => {
      const found = words.split('#').length - 1;
      if (name === undefined) return [`"${words}" begins with no form’s name`];
      if (found > 1 || (found > 0 && !counted)) return [`too many # in "${name}"`];
      return counted && found === 0 && numbers.get(name)?.length > 1
        ? [`no # in "${name}", which is said of several numbers`]
        : [];
    }),
  ];
}

/** Gives a language's plural categories, each with the numbers it is said of, as far as one needs to look: Arabic's `two` is said of 2 alone, Russian's `one` also of 21. */
function numbersOf(locale) {
  const rules = new Intl.PluralRules(locale);
  const numbers = new Map(rules.resolvedOptions().pluralCategories.map((name) => [name, []]));
  for (let number = 0; number <= 1000; number++) numbers.get(rules.select(number)).push(number);
  return numbers;
}
