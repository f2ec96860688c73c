/* Redaction of secrets in a diagnostics report. */
import { TOKEN_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';
import type { Host } from '../../platform/platform.ts';

/** Returns the stored access token (specification 3.1); null if there is none or storage is blocked. */
export const readStoredToken = (): string | null => createStoredValue('tab', TOKEN_KEY).read();

/** Returns a reader's id with all but its last two digits hidden. */
export const maskId = (id: string): string => `•••${id.slice(-2)}`;

/**
 * Redacts all secrets that must not leave the device, in case a detail (a server message, an error) contains one:
 * launch data with its hash and signature, the token, every cookie value, and the complete user id.
 */
export function redact(text: string, host: Host): string {
  return findSecrets(host).reduce((redacted, secret) => redacted.replaceAll(secret, '•••'), text);
}

/** Shorter values are not redacted, because they would also replace parts of ordinary text. */
const MIN_SECRET_LENGTH = 4;

/** Returns the secrets of this device, the longest first, because one may contain another. */
function findSecrets(host: Host): string[] {
  const launchData = host.launchData();
  const fields =
    launchData === null
      ? []
      : [...new URLSearchParams(launchData)].filter(([name]) => ['hash', 'signature', 'user', 'query_id'].includes(name));
  const cookieValues = document.cookie.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  const candidates = [launchData, ...fields.map(([, value]) => value), readStoredToken(), host.readerId(), ...cookieValues];
  const secrets = candidates.filter((secret): secret is string => secret !== null && secret.length >= MIN_SECRET_LENGTH);
  return secrets.sort((a, b) => b.length - a.length);
}
