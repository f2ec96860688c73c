/** JSON body parser: rejects bodies whose structure would block all other requests. */
import { HttpError } from './errors.ts';
import type { App } from './request.ts';

/**
 * Limits of a JSON body's structure. V8 parses 2 MB of brackets in 0.2 s and as many bytes of keys in 0.13 s, and no
 * other request is handled in that time. Within these limits it takes at most 30 ms. The largest body that a device
 * sends (a merge of 10,000 stars, 1000 entries and 100 presets of 1000 channels) has 39,000 names, 160,000 values and
 * 14,000 objects and lists.
 */
const MAX_DEPTH = 64;
const MAX_NAMES = 40_000;
const MAX_VALUES = 200_000;
/** Maximum number of objects and lists. */
const MAX_CONTAINERS = 40_000;
/** Bodies up to this size, bytes, are parsed without a check of their structure: it takes at most 5 ms. */
const SMALL_BODY_BYTES = 64 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Returns the index of the quote that ends the string at `start`. Returns at least the length of the body if there is
 * none.
 */
function findStringEnd(body: Buffer, start: number): number {
  let index = start + 1;
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1;
  return index;
}

/** Returns whether a JSON body is within the structure limits. The parser decides whether it is JSON at all. */
export function isWithinJsonLimits(body: Buffer): boolean {
  let [depth, names, values, containers] = [0, 0, 0, 0];
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index];
    if (byte === QUOTE) index = findStringEnd(body, index);
    else if (byte === COLON) names += 1;
    else if (byte === COMMA) values += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      containers += 1;
    }
    if (depth > MAX_DEPTH || names > MAX_NAMES || values > MAX_VALUES || containers > MAX_CONTAINERS) return false;
  }
  return true;
}

/** Registers the parser. It responds with 400 to a body beyond the limits. */
export function registerJsonParser(app: App): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length <= SMALL_BODY_BYTES) return parse(request, body.toString(), done);
    if (!isWithinJsonLimits(body)) return done(new HttpError(400, 'The body contains too many values, or is nested too deeply.'));
    // Other requests are handled between parsing and the validation after it.
    parse(request, body.toString(), (...parsed) => setImmediate(done, ...parsed));
  });
}
