/**
 * Safe POST: sends a body to an untrusted https address on the public internet (SSRF protection as in `safe-fetch.ts`).
 * Connections are reused, because thousands of messages go to one host. Each new connection resolves the name, checks
 * all addresses, and connects to one of them. Redirects are not followed.
 */
import http, { type IncomingHttpHeaders } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { FetchError, toFetchError } from './errors.ts';
import { DEFAULT_RULES } from './safe-fetch.ts';
import { assertAllowedUrl, type FetchRules, parseUntrustedUrl, resolvePublicAddresses } from './ssrf-protection.ts';

/** Status and headers of a response. Its body is ignored. */
export interface PushResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Error of a request without a response. `wasSent` is true if the host may have received the request. */
export class PostError extends Error {
  override readonly name = 'PostError';
  readonly wasSent: boolean;
  constructor(message: string, wasSent: boolean, options?: ErrorOptions) {
    super(message, options);
    this.wasSent = wasSent;
  }
}

/** Sends a body to an address of the public internet. Throws PostError. */
export type PostPublic = (
  address: string,
  headers: Readonly<Record<string, string | number>>,
  body: Buffer,
) => Promise<PushResponse>;

/** Rules of `createPublicPost`. Only tests allow http. */
export interface PostRules extends FetchRules {
  readonly allowsHttp: boolean;
}

/** Milliseconds from the begin of a request to its response. */
const TIMEOUT_MS = 10_000;
/**
 * Connections per host, and milliseconds after which an unused one is closed. There are more than the messages that are
 * sent at the same time, so that no message waits for a connection after its sending was stored.
 */
const MAX_SOCKETS = 256;
const IDLE_TIMEOUT_MS = 4000;

/** Creates a lookup function that returns the addresses of a name if all of them are public. */
const createCheckedLookup =
  (rules: FetchRules): LookupFunction =>
  (host, { all }, callback) => {
    const succeed = (addresses: readonly string[]): void => {
      const records = addresses.map((address) => ({ address, family: isIP(address) }));
      const [first] = records;
      if (all || first === undefined) callback(null, records);
      else callback(null, first.address, first.family);
    };
    resolvePublicAddresses(new URL(`https://${host}`), rules).then(succeed, (error: Error) => callback(error, []));
  };

/** Creates a function that sends bodies. */
export const createPublicPost = (rules: PostRules = { ...DEFAULT_RULES, allowsHttp: false }): PostPublic => {
  const options = { keepAlive: true, maxSockets: MAX_SOCKETS, timeout: IDLE_TIMEOUT_MS, lookup: createCheckedLookup(rules) };
  const agents = { 'https:': new https.Agent(options), 'http:': new http.Agent(options) };

  const checkUrl = async (address: string): Promise<URL> => {
    const url = parseUntrustedUrl(address);
    if (url.protocol !== 'https:' && !rules.allowsHttp)
      throw new FetchError('scheme', `Only https addresses are allowed, not ${url.protocol}`);
    assertAllowedUrl(url, rules);
    // The lookup function is not called for an IP address.
    if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) await resolvePublicAddresses(url, rules);
    return url;
  };

  const send = (url: URL, headers: Readonly<Record<string, string | number>>, body: Buffer): Promise<PushResponse> =>
    new Promise((resolve, reject) => {
      let wasSent = false;
      const isSecure = url.protocol === 'https:';
      const request = (isSecure ? https : http).request(url, {
        ...{ method: 'POST', headers: { ...headers, 'content-length': body.length } },
        ...{ agent: agents[isSecure ? 'https:' : 'http:'], signal: AbortSignal.timeout(TIMEOUT_MS) },
      });
      request.on('socket', (socket) => {
        const markSent = () => {
          wasSent = true;
        };
        if (request.reusedSocket || !socket.connecting) markSent();
        else socket.once(isSecure ? 'secureConnect' : 'connect', markSent);
      });
      request.on('error', (error) => {
        const { message } = error instanceof FetchError ? error : toFetchError(error, url.hostname);
        reject(new PostError(message, wasSent, { cause: error }));
      });
      request.on('response', (response) => {
        response.on('error', () => {});
        response.resume();
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
      request.end(body);
    });

  return async (address, headers, body) => {
    const url = await checkUrl(address).catch((error: Error) => {
      throw new PostError(error.message, false, { cause: error });
    });
    return send(url, headers, body);
  };
};
