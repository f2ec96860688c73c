/** Telegram launch data parser: the user inside launch data. Nothing here is verified. */
export interface UnverifiedUser {
  /** Decimal string. */
  readonly id: string;
  readonly firstName: string;
  readonly lastName?: string;
  readonly username?: string;
  readonly languageCode?: string;
}

/**
 * Parsed launch data whose signature has not been checked. The server checks it (server/auth); the browser never trusts
 * it.
 */
export interface UnverifiedLaunchData {
  readonly type: 'unverified';
  /** All fields except `hash`, decoded, as they were signed. */
  readonly fields: ReadonlyMap<string, string>;
  readonly hash: string;
  /** Unix seconds. */
  readonly authDate: number;
  readonly user: UnverifiedUser;
  readonly startParam: string | null;
}

/** Launch data that cannot be parsed, and the reason. */
export interface MalformedLaunchData {
  readonly type: 'malformed';
  readonly detail: string;
}

/** Maximum number of characters. Launch data from Telegram is far shorter. */
const MAX_LAUNCH_DATA_LENGTH = 16_384;

/** Parses Telegram's launch data string. Does not check its signature. Never throws. */
export function parseLaunchData(raw: string): UnverifiedLaunchData | MalformedLaunchData {
  if (raw === '') return malformed('The launch data is empty.');
  if (raw.length > MAX_LAUNCH_DATA_LENGTH)
    return malformed(`The launch data is longer than ${MAX_LAUNCH_DATA_LENGTH} characters.`);
  const fields = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(raw)) {
    if (hasControlCharacter(name) || hasControlCharacter(value) || name.includes('='))
      return malformed('The launch data has a control character, or "=" in a name.');
    if (fields.has(name)) return malformed('The launch data has a field twice.');
    fields.set(name, value);
  }
  return parseFields(fields);
}

/**
 * Returns true if the text contains a control character. The signed text joins fields with a newline, and names with
 * values by "=". So without this check one signed text could be parsed as different fields.
 */
const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text);

function parseFields(fields: Map<string, string>): UnverifiedLaunchData | MalformedLaunchData {
  const hash = fields.get('hash');
  if (hash === undefined || !/^[0-9a-f]{64}$/.test(hash))
    return malformed('The launch data has no hash of 64 hexadecimal digits.');
  fields.delete('hash');
  const date = fields.get('auth_date') ?? '';
  if (!/^\d{1,12}$/.test(date)) return malformed('The launch data has no auth_date in whole seconds.');
  const user = parseUser(fields.get('user'));
  if (user === null) return malformed('The launch data names no user.');
  return { type: 'unverified', fields, hash, authDate: Number(date), user, startParam: fields.get('start_param') ?? null };
}

function parseUser(json: string | undefined): UnverifiedUser | null {
  const raw = json === undefined ? null : parseJson(json);
  if (typeof raw !== 'object' || raw === null || !('id' in raw)) return null;
  if (typeof raw.id !== 'number' || !Number.isSafeInteger(raw.id) || raw.id <= 0) return null;
  const user: Record<string, unknown> = { ...raw };
  return {
    id: String(raw.id),
    firstName: typeof user.first_name === 'string' ? user.first_name : '',
    ...(isText(user.last_name) && { lastName: user.last_name }),
    ...(isText(user.username) && { username: user.username }),
    ...(isText(user.language_code) && { languageCode: user.language_code }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const malformed = (detail: string): MalformedLaunchData => ({ type: 'malformed', detail });
