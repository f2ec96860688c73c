/** Content negotiation: the languages and the encodings that a client prefers (RFC 9110). */
import Negotiator from 'negotiator';

/** Language tags that the app understands: a language, and optionally a script and a region. */
const LANGUAGE_TAG = /^[a-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|\d{3}))?$/;

/** Parses an Accept-Language header into language tags, most preferred first. Entries that are not language tags are dropped. */
export const parseAcceptLanguage = (header = ''): string[] =>
  new Negotiator({ headers: { 'accept-language': header } }).languages().filter((tag) => LANGUAGE_TAG.test(tag));

export type ContentEncoding = 'br' | 'gzip';

/** Encodings of responses. Between equal weights, the first one is preferred. */
const ENCODINGS = ['br', 'gzip', 'identity'];
const OPTIONS = { preferred: ENCODINGS };

/** Returns the encoding that the client prefers (Accept-Encoding); null for none. */
export function negotiateEncoding(accepted: string | undefined): ContentEncoding | null {
  if (accepted === undefined) return null;
  // @ts-expect-error: the published types lack the options.
  const encoding: unknown = new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(ENCODINGS, OPTIONS);
  return encoding === 'br' || encoding === 'gzip' ? encoding : null;
}
