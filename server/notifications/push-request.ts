/**
 * Web Push requests: VAPID keys, encryption (RFC 8291) and headers. The library only creates the request; the safe POST
 * client sends it.
 */
import { createECDH } from 'node:crypto';
import webPush from 'web-push';
import type { DeviceChange, PushPayload } from '../../contract/notifications.ts';
import type { Config } from '../config.ts';
import { HttpError } from '../http/errors.ts';
import { parseUntrustedUrl } from '../sources/fetch/ssrf-protection.ts';
import type { StoredDevice } from '../storage/ports/notifications.ts';
import type { Store } from '../storage/ports/store.ts';

/** The server's key pair (VAPID, RFC 8292), in base64url. */
export interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** A request to a push service. */
export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

const KEYS_SETTING = 'vapid-keys';
const ENCODING = 'aes128gcm';
/** Seconds for which a push service keeps a message for a device that is offline. */
const TTL_SECONDS = 86_400;
/** Seconds for which a signed header is valid, and for which it is reused. Push services allow at most 24 hours. */
const TOKEN_LIFETIME_SECONDS = 43_200;
const TOKEN_REUSE_SECONDS = 21_600;
/** Maximum number of push services whose headers are cached. */
const MAX_CACHED_TOKENS = 100;
/** Contact in the signature of a server without an https address and without SECURITY_CONTACT, such as one for development. */
const DEFAULT_CONTACT = 'mailto:operator@example.com';

/** Returns the server's keys. They are created once and stored, because subscriptions belong to one key. */
export async function openVapidKeys(store: Pick<Store, 'getOrCreateSetting'>): Promise<VapidKeys> {
  return JSON.parse(await store.getOrCreateSetting(KEYS_SETTING, JSON.stringify(webPush.generateVAPIDKeys())));
}

/** Returns whether a host is in the allow list. */
const isAllowedHost = (host: string, allowed: Config['pushHosts']): boolean =>
  allowed === null || allowed.some((name) => (name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name));

/**
 * Throws an `HttpError`, 400, unless the endpoint of a subscription is an https URL of an allowed host, and its key is a
 * point of the curve. The addresses of the host are checked at each connection.
 */
export function assertSubscription({ endpoint, keys }: DeviceChange['subscription'], pushHosts: Config['pushHosts']): void {
  if (!URL.canParse(endpoint)) throw new HttpError(400, 'The endpoint of the subscription is not a valid URL.');
  const url = parseUntrustedUrl(endpoint);
  const isPlain = url.username === '' && url.password === '' && url.port === '';
  if (url.protocol !== 'https:' || !isPlain)
    throw new HttpError(400, 'The endpoint of the subscription is not an https URL on the default port.');
  if (!isAllowedHost(url.hostname, pushHosts))
    throw new HttpError(400, `The push service ${url.hostname} is not allowed on this server.`);
  try {
    const ecdh = createECDH('prime256v1');
    ecdh.generateKeys();
    ecdh.computeSecret(Buffer.from(keys.p256dh, 'base64url'));
  } catch {
    throw new HttpError(400, 'The key of the subscription is not valid.');
  }
}

const contactOf = ({ publicUrl, securityContact }: Pick<Config, 'publicUrl' | 'securityContact'>): string =>
  securityContact ?? (publicUrl?.startsWith('https:') ? publicUrl : DEFAULT_CONTACT);

/**
 * Creates a function that encrypts a payload for a device. `now` is unix ms. Signed headers are cached by push service:
 * a signature costs as much as an encryption. The function returns null if the keys of the device are invalid.
 */
export function createPushEncryption(keys: VapidKeys, config: Pick<Config, 'publicUrl' | 'securityContact'>) {
  const tokens = new Map<string, { readonly value: string; readonly until: number }>();
  const authorizationFor = (origin: string, nowSeconds: number): string => {
    const cached = tokens.get(origin);
    if (cached !== undefined && cached.until > nowSeconds) return cached.value;
    const { Authorization: value } = webPush.getVapidHeaders(
      origin,
      contactOf(config),
      keys.publicKey,
      keys.privateKey,
      ENCODING,
      nowSeconds + TOKEN_LIFETIME_SECONDS,
    );
    if (tokens.size >= MAX_CACHED_TOKENS) tokens.clear();
    tokens.set(origin, { value, until: nowSeconds + TOKEN_REUSE_SECONDS });
    return value;
  };
  return ({ endpoint, p256dh, auth }: StoredDevice, payload: PushPayload, now: number): PushRequest | null => {
    const authorization = authorizationFor(new URL(endpoint).origin, Math.floor(now / 1000));
    try {
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, JSON.stringify(payload), {
        TTL: TTL_SECONDS,
        contentEncoding: ENCODING,
        headers: { Authorization: authorization },
      });
      return { endpoint, headers, body: body ?? Buffer.alloc(0) };
    } catch {
      return null;
    }
  };
}
