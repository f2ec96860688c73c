/**
 * Of an object with a `length` feedsmith makes an array that long (parseArray in its common/utils), whatever is in it: ten
 * characters of a feed took the process, since what V8 cannot hold ends all threads. So nothing of that name gets to it. It reads
 * none: lengths of files are attributes, which it names `@length`.
 */

/** Where an element's name may be `length`, in any case and behind any prefixes; text may read so too. */
const NAME = /(?<=[<:])l(?=ength[\s/>])/gi;

/** CDATA, where a reference is text, and else such a name. What is not closed reaches to the end: none is looked through twice. */
const CDATA_OR_NAME = new RegExp(`<!\\[CDATA\\[[^]*?(?:]]>|$)|${NAME.source}`, 'gi');

/** As text it is what it was; an element's name, whose references nobody resolves, is another. */
const reference = (letter: string): string => `&#${letter.charCodeAt(0)};`;

const inXml = (document: string): string =>
  document.replace(CDATA_OR_NAME, (found) =>
    // As text two sections are one. Where the parser sees no CDATA, this is no name either.
    found.startsWith('<') ? found.replace(NAME, ']]><![CDATA[$&') : reference(found),
  );

/** Gives a feed to hand to feedsmith: JSON read, and XML as it was but for names. */
export const withoutLengths = (document: string): unknown => {
  if (!/^\s*\{/.test(document)) return inXml(document);
  try {
    return JSON.parse(document, (name, value) => (name === 'length' ? undefined : value));
  } catch (error) {
    // JSON that is nested too deep is JSON all the same, and feedsmith would read it.
    if (!(error instanceof SyntaxError)) throw error;
    return inXml(document);
  }
};
