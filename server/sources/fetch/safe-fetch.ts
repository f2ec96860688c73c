/**
 * SSRF-safe HTTP client for untrusted addresses. A host name is resolved once. All its addresses must be public, and
 * the connection goes to one of the addresses that were checked, so DNS rebinding (a name that resolves differently
 * later) has no effect. Each redirect is checked like the first address. Size and time limits apply to the whole fetch:
 * decompressed bytes, and the time from the first DNS lookup to the last byte. Only ports 80 and 443 are allowed: other
 * ports of public machines are seldom feeds and often unprotected services, above all those of this machine.
 */
import { lookup as lookUpName } from 'node:dns/promises';
import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { FetchError, toFetchError } from './errors.ts';
import {
  assertAllowedUrl,
  type FetchRules,
  isPublicAddress,
  parseUntrustedUrl,
  resolvePublicAddresses,
} from './ssrf-protection.ts';

/** Limits of a fetch: decompressed bytes, and milliseconds for the whole fetch. */
export interface FetchLimits {
  readonly bytes: number;
  readonly ms: number;
}

/**
 * `headers` are also sent to every redirect target, so they must not contain secrets. `types` matches the accepted
 * content types of a successful response.
 */
export interface FetchOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly limits?: Partial<FetchLimits>;
  readonly types?: RegExp;
  readonly signal?: AbortSignal;
}

/**
 * A response of any status. `url` is its final address. `movedTo` is the address that the permanent redirects lead to,
 * up to the first redirect that is not permanent; null without them.
 */
export interface FetchedResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly url: string;
  readonly movedTo: string | null;
}

/** Fetches an address of the public internet. Throws FetchError, or the signal's reason if it is aborted. */
export type FetchPublic = (address: string, options?: FetchOptions) => Promise<FetchedResponse>;

const DEFAULT_LIMITS: FetchLimits = { bytes: 5 * 1024 * 1024, ms: 20_000 };
const MAX_REDIRECTS = 5;
const REDIRECT_STATUSES: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const PERMANENT_STATUSES: ReadonlySet<number> = new Set([301, 308]);
const USER_AGENT = 'ChannelChanger/1 (feed reader)';

/** Rules of the server: public addresses on the default ports. */
export const DEFAULT_RULES: FetchRules = {
  resolve: async (host) => (await lookUpName(host, { all: true, verbatim: true })).map(({ address }) => address),
  isPublic: isPublicAddress,
  isAllowedPort: (port) => port === 80 || port === 443,
};

/** Returns a lookup function that resolves to the checked addresses and never queries DNS again. */
const createPinnedLookup = (addresses: readonly string[]): LookupFunction => {
  const dnsRecords = addresses.map((address) => ({ address, family: isIP(address) }));
  return (_host, { all }, callback) => {
    const [first] = dnsRecords;
    if (all || first === undefined) callback(null, dnsRecords);
    else callback(null, first.address, first.family);
  };
};

const sendRequest = (url: URL, addresses: readonly string[], headers: Record<string, string>, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { request } = url.protocol === 'https:' ? https : http;
    const options = { agent: false, headers, signal, lookup: createPinnedLookup(addresses) };
    request(url, options, resolve).on('error', reject).end();
  });

/**
 * Returns the target of a redirect; null for any other response. Node decodes headers as Latin-1, but servers send an
 * unescaped address in UTF-8, as browsers expect.
 */
const redirectLocation = ({ statusCode = 0, headers }: IncomingMessage): string | null =>
  REDIRECT_STATUSES.has(statusCode) && headers.location !== undefined ? Buffer.from(headers.location, 'latin1').toString() : null;

const assertContentType = ({ statusCode = 0, headers }: IncomingMessage, types: RegExp | undefined): void => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (types === undefined || type === '' || statusCode < 200 || statusCode > 299 || types.test(type)) return;
  throw new FetchError('type', `The response has the content type ${type.slice(0, 100)}, which is not accepted here.`);
};

const nextAddress = (from: URL, location: string): URL => {
  const to = parseUntrustedUrl(location, from);
  if (from.protocol === 'https:' && to.protocol === 'http:')
    throw new FetchError('downgrade', `The host ${from.hostname} redirects from https to http, which is not allowed.`);
  return to;
};

const fetchFollowingRedirects = async (
  address: string,
  options: FetchOptions,
  rules: FetchRules,
  signal: AbortSignal,
): Promise<FetchedResponse> => {
  const headers = { 'user-agent': USER_AGENT, 'accept-encoding': ACCEPTED_ENCODINGS, ...options.headers };
  let [url, isPermanent] = [parseUntrustedUrl(address), true];
  let movedTo: string | null = null;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    assertAllowedUrl(url, rules);
    const addresses = await resolvePublicAddresses(url, rules);
    signal.throwIfAborted();
    const response = await sendRequest(url, addresses, headers, signal).catch((error: unknown) => {
      throw toFetchError(error, url.hostname);
    });
    try {
      const location = redirectLocation(response);
      if (location === null) {
        assertContentType(response, options.types);
        const body = await readBody(response, options.limits?.bytes ?? DEFAULT_LIMITS.bytes);
        return { status: response.statusCode ?? 0, headers: response.headers, body, url: url.href, movedTo };
      }
      url = nextAddress(url, location);
      isPermanent &&= PERMANENT_STATUSES.has(response.statusCode ?? 0);
      if (isPermanent) movedTo = url.href;
    } finally {
      response.destroy();
    }
  }
  throw new FetchError('redirects', `The address redirects more than ${MAX_REDIRECTS} times.`);
};

/** Rejects when the signal aborts, even during a DNS lookup, which cannot be cancelled. */
const rejectOnAbort = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });

/** Creates a fetch function. Only tests pass rules. */
export const createPublicFetch =
  (rules: FetchRules = DEFAULT_RULES): FetchPublic =>
  async (address, options = {}) => {
    const timeoutMs = options.limits?.ms ?? DEFAULT_LIMITS.ms;
    const abortController = new AbortController();
    const onCallerAbort = () => abortController.abort(options.signal?.reason);
    const onTimeout = () =>
      abortController.abort(new FetchError('too-slow', `The response took longer than ${timeoutMs / 1000} seconds.`));
    const timer = setTimeout(onTimeout, timeoutMs);
    options.signal?.addEventListener('abort', onCallerAbort, { once: true });
    if (options.signal?.aborted) onCallerAbort();
    try {
      const fetching = fetchFollowingRedirects(address, options, rules, abortController.signal);
      return await rejectOnAbort(fetching, abortController.signal);
    } catch (error) {
      throw abortController.signal.aborted ? abortController.signal.reason : error;
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onCallerAbort);
    }
  };

/** Content encodings that are requested. No others are decompressed. */
const ACCEPTED_ENCODINGS = 'gzip, br';

const decompress = (response: IncomingMessage): Readable => {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity' || encoding === '') return response;
  // Unlike pipe, pipeline destroys the response when decompression fails. The consumer of the last stream receives the
  // error.
  if (encoding === 'gzip' || encoding === 'x-gzip') return pipeline(response, createGunzip(), () => {});
  if (encoding === 'br') return pipeline(response, createBrotliDecompress(), () => {});
  throw new FetchError('encoding', `The response has the content encoding ${encoding.slice(0, 50)}, which was not requested.`);
};

const tooLargeError = (maxBytes: number) => new FetchError('too-large', `The response is larger than ${maxBytes} bytes.`);

/**
 * Reads a response body completely, decompressed. Throws as soon as it is known to exceed `maxBytes` bytes, compressed
 * or decompressed.
 */
async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLargeError(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of decompress(response)) {
      const bytes: Buffer = chunk;
      size += bytes.length;
      if (size > maxBytes) throw tooLargeError(maxBytes);
      chunks.push(bytes);
    }
  } catch (error) {
    if (error instanceof FetchError) throw error;
    throw new FetchError('torn', 'The response was interrupted or could not be decompressed.', { cause: error });
  }
  return Buffer.concat(chunks, size);
}
