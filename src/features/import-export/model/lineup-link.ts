import { MAX_LINEUP_ENTRIES } from '../../../../contract/limits.ts';
import { clipName } from './clip-name.ts';

/**
 * Line-up link: the content of a shared line-up, that is, a name and the channels in their order. It never contains
 * URLs of feeds, mutes or read markers.
 */
export interface SharedLineup {
  readonly name: string;
  readonly channelIds: readonly string[];
}

/** Result of decoding a link. */
export type ParsedLineupLink =
  | { readonly type: 'read'; readonly shared: SharedLineup }
  | { readonly type: 'rejected'; readonly reason: 'broken' | 'too-large' };

/** Maximum length of a link: some messengers cut longer ones, and some servers reject them. */
export const MAX_LINK_LENGTH = 8000;
/** Maximum total length of a start parameter that every Telegram client accepts. */
export const MAX_START_PARAM_LENGTH = 64;

const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(BASE62_DIGITS.length);
/** Length of 64 bits in base 62; an integer that JavaScript stores exactly is always shorter. */
const FEED_DIGITS = 11;
const CHECK_DIGITS = 2;
/** Parameters of the checksum. Every existing link depends on them. */
const CHECKSUM_SEED = 7;
const CHECKSUM_FACTOR = 37;

/**
 * Encodes a line-up in characters that are valid in a URL and in a start parameter: two check digits over the rest, the
 * channels, and the name after an underscore. Duplicate channels are encoded once.
 */
export function encodeLineupLink({ name, channelIds }: SharedLineup): string {
  const ids = [...new Set(channelIds)].flatMap((id) => encodeChannelId(id) ?? []).join('-');
  const clippedName = clipName(name);
  const payload = clippedName === '' ? ids : `${ids}_${toBase64(clippedName)}`;
  return checksumOf(payload) + payload;
}

/**
 * Decodes the output of `encodeLineupLink`, and nothing else: a link that was cut or changed is rejected completely.
 */
export function decodeLineupLink(code: string): ParsedLineupLink {
  if (code.length > MAX_LINK_LENGTH) return rejectLink('too-large');
  const [, ids, name] = /^\w{2}([0-9A-Za-z]+(?:-[0-9A-Za-z]+)*)(?:_([\w-]+))?$/.exec(code) ?? [];
  if (ids === undefined) return rejectLink('broken');
  const channelIds = ids.split('-').flatMap((digits) => decodeChannelId(digits) ?? []);
  if (channelIds.length > MAX_LINEUP_ENTRIES) return rejectLink('too-large');
  const shared = { name: name === undefined ? '' : fromBase64(name), channelIds };
  return encodeLineupLink(shared) === code ? { type: 'read', shared } : rejectLink('broken');
}

const rejectLink = (reason: 'broken' | 'too-large'): ParsedLineupLink => ({ type: 'rejected', reason });

/**
 * Encodes an id: a Telegram id as a number, a feed's hash with a fixed length. Returns null for any other text, because
 * ids have no other form.
 */
function encodeChannelId(id: string): string | null {
  if (/^[1-9]\d{0,14}$/.test(id)) return toDigits(BigInt(id));
  const [, hash] = /^f-([\da-f]{16})$/.exec(id) ?? [];
  return hash === undefined ? null : toDigits(BigInt(`0x${hash}`)).padStart(FEED_DIGITS, '0');
}

function decodeChannelId(digits: string): string | null {
  if (digits.length > FEED_DIGITS) return null;
  const value = [...digits].reduce((sum, digit) => sum * BASE + BigInt(BASE62_DIGITS.indexOf(digit)), 0n);
  return digits.length === FEED_DIGITS ? `f-${value.toString(16).padStart(16, '0')}` : String(value);
}

/** Returns a number in base 62. */
function toDigits(value: bigint): string {
  const quotient = value / BASE;
  return (quotient === 0n ? '' : toDigits(quotient)) + BASE62_DIGITS.charAt(Number(value % BASE));
}

function checksumOf(text: string): string {
  const modulus = BASE62_DIGITS.length ** CHECK_DIGITS;
  const sum = [...text].reduce(
    (previous, character) => (previous * CHECKSUM_FACTOR + character.charCodeAt(0)) % modulus,
    CHECKSUM_SEED,
  );
  return toDigits(BigInt(sum)).padStart(CHECK_DIGITS, '0');
}

/** Encodes text in the URL-safe base64 alphabet, without padding. */
function toBase64(text: string): string {
  const bytes = String.fromCharCode(...new TextEncoder().encode(text));
  return btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
}

/** Returns '' for invalid base64; the link is then rejected, because encoding it again returns another code. */
function fromBase64(text: string): string {
  try {
    const bytes = atob(text.replace(/-/g, '+').replace(/_/g, '/'));
    return new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
  } catch {
    return '';
  }
}
