/* Diagnostic checks of the server: sign-in, rejection of a wrong token, health, channels. */
import { str } from '../../../i18n/i18n.ts';
import { type Check, type CheckContext, type CheckFinding, readField } from '../check.ts';
import { readStoredToken } from '../redact.ts';

/** Returns the credentials mode. On a third-party page the app may send neither cookies nor the token. */
const credentialsOf = (embedded: boolean): RequestCredentials => (embedded ? 'omit' : 'include');

/** Returns the XSRF token that a write request has to echo; null if the cookie is missing. */
function readXsrfToken(): string | null {
  const cookieValue = /(?:^|;\s*)XSRF-TOKEN=([^;]*)/.exec(document.cookie)?.[1];
  return cookieValue === undefined ? null : decodeURIComponent(cookieValue);
}

/** Checks a complete sign-in, and whether its token is stored. */
export const signInCheck: Check = {
  id: 'sign-in',
  group: 'container',
  title: ({ msg }) => msg('Sign-in'),
  async run({ services: { host, environment }, m: { msg } }) {
    const initData = host.launchData();
    if (initData === null)
      return { result: 'n/a', detail: msg('No launch data, so nobody signs in: you read as a reader on this device.') };
    const xsrfToken = readXsrfToken();
    const response = await fetch(`${environment.baseUrl}/api/telegram/auth/webapp`, {
      method: 'POST',
      credentials: credentialsOf(environment.embedded),
      headers: { 'content-type': 'application/json', ...(xsrfToken === null ? {} : { 'X-XSRF-TOKEN': xsrfToken }) },
      body: JSON.stringify({ initData }),
    });
    const body: unknown = await response.json().catch(() => null);
    if (!response.ok) return signInFailure(response.status, readField(body, 'detail'), msg);
    const tokenText = readStoredToken() !== null ? msg('a token is stored') : msg('no token is stored');
    const cookieText = readXsrfToken() === null ? msg('cookies are blocked; the header is enough') : msg('cookies are accepted');
    const detail = msg(str`Signed in; ${tokenText}; ${cookieText}`);
    if (readStoredToken() !== null) return { result: 'pass', detail };
    return { result: 'warn', detail, remedy: msg('Open another page of the app: it signs in again and stores the token.') };
  },
};

function signInFailure(status: number, detailText: unknown, msg: CheckContext['m']['msg']): CheckFinding {
  const detail = `${status}: ${typeof detailText === 'string' ? detailText : '–'}`;
  if (status === 503) return { result: 'warn', detail, remedy: msg('The operator has to set BOT_TOKEN on the server.') };
  return { result: 'fail', detail, remedy: msg('Close the app in Telegram and open it again.') };
}

/** Checks that the server rejects an invalid token with a problem response (401). */
export const wrongTokenCheck: Check = {
  id: 'refusal',
  group: 'container',
  title: ({ msg }) => msg('A wrong token is refused'),
  async run({ services: { environment }, m: { msg } }) {
    if (environment.embedded) return { result: 'n/a', detail: msg('A tag on another site never sends a token.') };
    const response = await fetch(`${environment.baseUrl}/api/me`, {
      credentials: 'omit',
      headers: { 'Access-Token': 'made-up-by-the-self-test' },
      cache: 'no-store',
    });
    const body: unknown = await response.json().catch(() => null);
    const contentType = response.headers.get('content-type') ?? '–';
    const detail = `${response.status}, ${contentType}`;
    const isProblem = contentType.includes('application/problem+json') && typeof readField(body, 'detail') === 'string';
    if (response.status === 401 && isProblem) return { result: 'pass', detail };
    return {
      result: response.status === 401 ? 'warn' : 'fail',
      detail,
      remedy: msg('Tell the operator: 401 with a problem is expected.'),
    };
  },
};

const SLOW_RESPONSE_MS = 2000;
/** Clock difference above which the check warns. */
const MAX_CLOCK_OFFSET_SECONDS = 60;
/** Clock difference that the text ignores: the time of the request, and a header in seconds. */
const IGNORED_CLOCK_OFFSET_SECONDS = 2;

/** Checks whether the server responds, how fast, its version, and whether the clocks agree. */
export const serverCheck: Check = {
  id: 'api',
  group: 'server',
  title: ({ msg }) => msg('Server'),
  async run({ services: { environment }, m }) {
    const { msg, number } = m;
    const start = performance.now();
    const response = await fetch(`${environment.baseUrl}/healthz`, { credentials: 'omit', cache: 'no-store' }).catch(() => null);
    if (response === null) {
      return {
        result: 'fail',
        detail: msg('No answer.'),
        remedy: msg('Check your connection. What is saved on this device can still be read.'),
      };
    }
    const elapsedMs = Math.round(performance.now() - start);
    const body: unknown = await response.json().catch(() => null);
    const version = readField(body, 'version');
    const detail = [
      msg(str`${number(elapsedMs)} ms`),
      msg(str`version ${typeof version === 'string' ? version : '–'}`),
      environment.baseUrl === '' ? msg('same origin') : msg('another origin, allowed by CORS'),
      clockDifferenceText(response, msg),
    ].join(' · ');
    if (!response.ok || readField(body, 'ready') === false)
      return {
        result: 'fail',
        detail: `${response.status} · ${detail}`,
        remedy: msg('The server is up but not ready: tell the operator.'),
      };
    if (Math.abs(clockOffsetSeconds(response) ?? 0) > MAX_CLOCK_OFFSET_SECONDS)
      return { result: 'warn', detail, remedy: msg('Set this device’s clock to automatic.') };
    return elapsedMs > SLOW_RESPONSE_MS
      ? { result: 'warn', detail, remedy: msg('The connection to the server is slow.') }
      : { result: 'pass', detail };
  },
};

/** Returns the seconds by which this device's clock is ahead of the server; null if the Date header is not readable. */
function clockOffsetSeconds(response: Response): number | null {
  const date = Date.parse(response.headers.get('date') ?? '');
  return Number.isNaN(date) ? null : Math.round((Date.now() - date) / 1000);
}

function clockDifferenceText(response: Response, msg: CheckContext['m']['msg']): string {
  const offset = clockOffsetSeconds(response);
  if (offset === null) return msg('its clock is hidden');
  return Math.abs(offset) <= IGNORED_CLOCK_OFFSET_SECONDS ? msg('clocks agree') : msg(str`clocks differ by ${offset} s`);
}

/** Checks that the API returns channels. */
export const channelsCheck: Check = {
  id: 'channels',
  group: 'server',
  title: ({ msg }) => msg('Channels'),
  async run({ services: { environment }, m: { msg, number } }) {
    const response = await fetch(`${environment.baseUrl}/api/channels`, { credentials: 'omit', cache: 'no-store' });
    const body: unknown = await response.json().catch(() => null);
    const items = readField(body, 'items');
    if (!response.ok || !Array.isArray(items))
      return {
        result: 'fail',
        detail: String(response.status),
        remedy: msg('Tell the operator: the list of channels is broken.'),
      };
    if (items.length === 0)
      return { result: 'warn', detail: msg('There is no channel.'), remedy: msg('The operator has to import one.') };
    return { result: 'pass', detail: msg(str`Channels to read: ${number(items.length)}`) };
  },
};
