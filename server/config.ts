/** Configuration: parses and validates the settings of the environment and `.env`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import type { LogLevel } from './lib/logger.ts';
import { POSTGRES_URL_EXAMPLE, parsePostgresUrl } from './lib/postgres-url.ts';
import { readSecretFile } from './lib/secret-file.ts';
import { parseTrustedProxies, type TrustedProxies } from './lib/trusted-proxies.ts';

/** Bucket of an S3-compatible object storage for media files. */
export interface S3Settings {
  /** URL of the server; null for that of Amazon in the region. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly bucket: string;
  /** Null: the AWS SDK finds the credentials, for example in its own environment variables or those of the machine. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null;
  /** Beginning of all object names: empty, or with a slash at its end. */
  readonly prefix: string;
  /** Address under which everyone can read the published copies, without a trailing slash; null if there is none. */
  readonly publicUrl: string | null;
}

/** Settings of the server. They are validated once at start and then passed to the modules that need them. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Time after a stop signal in which the process still serves, so that a load balancer removes it, ms. */
  readonly drainMs: number;
  readonly dataDir: string;
  /** URL of the PostgreSQL database, including the password. Null: everything is stored in SQLite under `dataDir`. */
  readonly databaseUrl: string | null;
  /** URL of a replica of the database, for reads of anonymous readers; null for none. Contains a password. */
  readonly databaseReplicaUrl: string | null;
  /** Bucket of the media files. Null: they are stored in a folder under `dataDir`. */
  readonly s3: S3Settings | null;
  /** Origin under which readers reach the app, such as https://channels.example; null if it is not set. */
  readonly publicUrl: string | null;
  readonly botToken: string | null;
  /** URL of a Bot API server other than Telegram's own, without a trailing slash. */
  readonly botApiRoot: string | null;
  /** The mini-app's https://t.me address. */
  readonly botApp: string | null;
  readonly operatorIds: ReadonlySet<string>;
  /**
   * Allows only operators to connect channels, or also a channel's administrators to connect that channel. Channels
   * that others connect wait for approval.
   */
  readonly connectPolicy: 'operators' | 'administrators';
  /** Origins that may embed; null allows any. */
  readonly embedOrigins: readonly string[] | null;
  readonly brand: { readonly name: string; readonly color: string };
  readonly demo: boolean;
  /** Maximum total size of the stored files, bytes; 0 for no limit. */
  readonly mediaQuota: number;
  /** Maximum size of a file that is downloaded, bytes. */
  readonly maxMediaFileBytes: number;
  /** Maximum number of feeds that all readers together may add; 0 for none. */
  readonly maxReaderFeeds: number;
  /** True if readers may choose notifications. */
  readonly notifications: boolean;
  /**
   * Hosts of push services that may be used; `*.` at the start of one stands for its subdomains. Null allows any public
   * host.
   */
  readonly pushHosts: readonly string[] | null;
  /** Days without a visit after which a reader is deleted; 0 for never. */
  readonly retentionDays: number;
  /** Contact for reports of security vulnerabilities; null if none is set. */
  readonly securityContact: string | null;
  /** Minimum level of a log line that is written. */
  readonly logLevel: LogLevel;
  /** Bearer token for /metrics. Null: only programs on this machine can read it. */
  readonly metricsToken: string | null;
  /** Returns whether an address is that of a proxy whose X-Forwarded-* and X-Request-Id headers are trusted. */
  readonly trustProxy: TrustedProxies;
  /**
   * Directory where a Bot API server on this machine stores its files. Null: the Bot API server sends the files over
   * HTTP.
   */
  readonly botApiFiles: string | null;
}

/** Invalid setting: one sentence that names the setting and never contains the value of a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/**
 * Default brand colour. The style sheets contain it and guarantee a readable contrast with it
 * (`src/components/styles/tokens.css`).
 */
export const DEFAULT_BRAND_COLOR = '#3a5bd9';

/** Pattern of a brand name. */
export const BRAND_NAME_PATTERN = '^[^\\p{C}]{1,60}$';

/** Returns the fault of a brand name, as the end of a sentence about it; null for a valid name. */
export const describeBrandNameFault = (name: string): string | null =>
  /telegram/i.test(name) && !/^unofficial /i.test(name)
    ? 'contains "Telegram", which Telegram allows only after "Unofficial": choose another name.'
    : null;

const listPattern = (item: string) => `^\\s*(${item})([\\s,]+(${item}))*[\\s,]*$`;
const SIZE_PATTERN = '^(0|\\d{1,6}(\\.\\d{1,3})? ?[KMGT]B)$';
const MAX_PORT = 65_535;
const ORIGIN_PATTERN = 'https?://[^\\s,/?#@]+';

/** Schema of the settings as text. A description states the expected format. */
const Settings = Type.Object({
  PORT: Type.String({ default: '8080', pattern: '^\\d{1,5}$', description: 'a port number from 0 to 65535' }),
  HOST: Type.String({
    default: 'localhost',
    pattern: '^[^\\s/]+$',
    description: 'a host name or address to listen on, such as 0.0.0.0',
  }),
  DRAIN_SECONDS: Type.String({ default: '0', pattern: '^\\d{1,3}$', description: 'a whole number of seconds from 0 to 999' }),
  DATA_DIR: Type.String({ default: './data', description: 'a folder' }),
  DATABASE_URL: optionalSetting('^postgres(ql)?://[^\\s]+$', `the URL of a PostgreSQL database, such as ${POSTGRES_URL_EXAMPLE}`),
  DATABASE_REPLICA_URL: optionalSetting(
    '^postgres(ql)?://[^\\s]+$',
    `the URL of a replica of the PostgreSQL database, such as ${POSTGRES_URL_EXAMPLE}`,
  ),
  S3_BUCKET: optionalSetting('^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$', 'the name of a bucket, such as city-media'),
  S3_ENDPOINT: optionalSetting(
    `^${ORIGIN_PATTERN}/?$`,
    'the URL of an S3-compatible server, without a path, such as https://s3.city.example',
  ),
  S3_REGION: Type.String({ default: 'us-east-1', pattern: '^[a-z0-9-]{1,40}$', description: 'a region, such as eu-central-1' }),
  S3_ACCESS_KEY_ID: optionalSetting('^[\\x21-\\x7e]{3,128}$', 'the id of an access key'),
  S3_SECRET_ACCESS_KEY: optionalSetting('^[\\x21-\\x7e]{3,256}$', 'the secret of an access key'),
  S3_PREFIX: optionalSetting(
    '^/*[A-Za-z0-9_-][A-Za-z0-9_.-]*(/+[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/*$',
    'a beginning of object names, such as changer or sites/city',
  ),
  S3_PUBLIC_URL: optionalSetting(
    '^https?://[^\\s/?#@;,\'"]+(/[^\\s?#;,\'"]*)?$',
    'the URL under which everyone can read published media, such as https://media.city.example',
  ),
  PUBLIC_URL: optionalSetting(
    `^${ORIGIN_PATTERN}/?$`,
    'the URL that readers use, without a path, such as https://channels.example',
  ),
  BOT_TOKEN: optionalSetting('^\\d{1,16}:[A-Za-z0-9_-]{3,}$', "the bot's token from @BotFather: digits, a colon and a secret"),
  BOT_API_ROOT: optionalSetting(
    '^https?://[^\\s/?#@]+(/[^\\s?#@]*)?$',
    'the URL of a Bot API server without a username or password, such as https://api.telegram.org',
  ),
  BOT_APP: optionalSetting(
    '^https://t\\.me/[A-Za-z0-9_]{3,}(/[A-Za-z0-9_]+)?$',
    "the mini-app's link, such as https://t.me/city_bot/channels or https://t.me/city_bot",
  ),
  OPERATOR_IDS: optionalSetting(listPattern('\\d{1,16}'), 'Telegram user ids, separated by commas, such as 1234567,7654321'),
  CONNECT: Type.Optional(Type.Enum(['operators', 'administrators'], { description: 'operators or administrators' })),
  EMBED_ORIGINS: optionalSetting(
    listPattern(`${ORIGIN_PATTERN}/?`),
    'origins, separated by commas, such as https://city.example,https://news.example',
  ),
  BRAND_NAME: Type.String({
    default: 'Channel Changer',
    pattern: BRAND_NAME_PATTERN,
    description: 'a name of 1 to 60 characters',
  }),
  BRAND_COLOR: Type.String({
    default: DEFAULT_BRAND_COLOR,
    pattern: '^#[0-9a-fA-F]{6}$',
    description: 'a colour such as #3a5bd9',
  }),
  DEMO: Type.String({ default: 'on', pattern: '^(on|off)$', description: 'on or off' }),
  MEDIA_QUOTA: Type.String({
    default: '20GB',
    pattern: SIZE_PATTERN,
    description: 'a size such as 20GB or 500MB, or 0 for no limit',
  }),
  MEDIA_FILE_LIMIT: Type.String({ default: '20MB', pattern: SIZE_PATTERN, description: 'a size such as 20MB or 2GB' }),
  READER_FEEDS: Type.String({ default: '200', pattern: '^\\d{1,5}$', description: 'a whole number, or 0 for none' }),
  NOTIFICATIONS: Type.String({ default: 'on', pattern: '^(on|off)$', description: 'on or off' }),
  PUSH_HOSTS: optionalSetting(
    listPattern('(\\*\\.)?[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+'),
    'host names of push services, separated by commas, such as fcm.googleapis.com,*.push.apple.com',
  ),
  BOT_API_FILES: optionalSetting('^/', "the absolute path of the folder where a Bot API server's files are"),
  TRUST_PROXY: Type.String({
    default: 'private',
    description:
      'none, or a list of addresses, networks, private, loopback, linklocal and uniquelocal, such as loopback,192.0.2.7,2001:db8::/32',
  }),
  RETENTION_DAYS: Type.String({
    default: '365',
    pattern: '^\\d{1,5}$',
    description: 'a whole number of days, or 0 for no limit',
  }),
  LOG_LEVEL: Type.Enum(['error', 'warn', 'info', 'debug', 'trace'], {
    default: 'info',
    description: 'error, warn, info, debug or trace',
  }),
  METRICS_TOKEN: optionalSetting('^[\\x21-\\x7e]{16,}$', 'at least 16 characters without spaces'),
  SECURITY_CONTACT: optionalSetting(
    '^(mailto:[^\\s@]+@[^\\s@]+|https://[^\\s]+)$',
    'a contact URL, such as mailto:security@city.example or https://city.example/security',
  ),
});
type Settings = Static<typeof Settings>;

/** Settings whose value never appears in a message. `NAME_FILE` names a file with the value of each. */
const SECRET_SETTINGS = new Set([
  'BOT_TOKEN',
  'METRICS_TOKEN',
  'BOT_API_ROOT',
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
]);

const fileSettingOf = (name: string): string => `${name}_FILE`;

/** Names of all settings, as environment variables. */
export const SETTING_NAMES: readonly string[] = [...Object.keys(Settings.properties), ...[...SECRET_SETTINGS].map(fileSettingOf)];

function optionalSetting(pattern: string, description: string) {
  return Type.Optional(Type.String({ pattern, description }));
}

/**
 * Reads the environment of the process. A `.env` file in the working directory supplies defaults. No other code reads
 * either.
 */
export function readEnvironmentVariables(): Readonly<Record<string, string | undefined>> {
  const fromFile = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {};
  return { ...fromFile, ...process.env };
}

/** Reads the settings of this process. Throws like `readConfig`. */
export const loadConfig = (): Config => readConfig(readEnvironmentVariables());

/** Validates the settings of an environment. Throws `ConfigError` at the first invalid one. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  return toConfig(parseSettings(environment));
}

function parseSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const presentValues: Record<string, unknown> = {};
  for (const name of Object.keys(Settings.properties)) {
    const value = (SECRET_SETTINGS.has(name) ? readSecret(name, environment) : environment[name])?.trim();
    if (value) presentValues[name] = value;
  }
  const settings = Value.Default(Settings, presentValues);
  for (const [name, schema] of Object.entries(Settings.properties)) {
    const value = presentValues[name];
    if (value !== undefined && !Value.Check(schema, value)) throwInvalidSetting(name, value, schema);
  }
  return Value.Parse(Settings, settings);
}

/** Returns the value of a secret setting, from its variable or from the file that its `_FILE` variable names. */
function readSecret(name: string, environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const fileSetting = fileSettingOf(name);
  const file = environment[fileSetting]?.trim();
  if (!file) return environment[name];
  if (environment[name]?.trim()) throw new ConfigError(`${name} and ${fileSetting} are both set: unset one of them.`);
  const secret = readSecretFile(file);
  if ('fault' in secret) throw new ConfigError(`${fileSetting} is not a usable file: it ${secret.fault}.`);
  return secret.content;
}

function toConfig(settings: Settings): Config {
  const port = Number(settings.PORT);
  if (port > MAX_PORT) throwInvalidSetting('PORT', settings.PORT, Settings.properties.PORT);
  const fault = describeBrandNameFault(settings.BRAND_NAME);
  if (fault !== null) throw new ConfigError(`BRAND_NAME ${fault}`);
  return {
    port,
    host: settings.HOST,
    drainMs: Number(settings.DRAIN_SECONDS) * 1000,
    dataDir: path.resolve(settings.DATA_DIR),
    ...parseDatabaseUrls(settings),
    s3: parseS3Settings(settings),
    publicUrl: settings.PUBLIC_URL === undefined ? null : parseOrigin('PUBLIC_URL', settings.PUBLIC_URL),
    botToken: settings.BOT_TOKEN ?? null,
    botApiRoot: settings.BOT_API_ROOT === undefined ? null : parseApiRoot(settings.BOT_API_ROOT),
    botApp: settings.BOT_APP ?? null,
    operatorIds: new Set(splitList(settings.OPERATOR_IDS)),
    // On a public site, an untrusted user who administers some channel must not be able to publish it there.
    connectPolicy: settings.CONNECT ?? (settings.PUBLIC_URL === undefined ? 'administrators' : 'operators'),
    embedOrigins:
      settings.EMBED_ORIGINS === undefined
        ? null
        : splitList(settings.EMBED_ORIGINS).map((origin) => parseOrigin('EMBED_ORIGINS', origin)),
    brand: { name: settings.BRAND_NAME, color: settings.BRAND_COLOR.toLowerCase() },
    demo: settings.DEMO === 'on',
    mediaQuota: parseSize(settings.MEDIA_QUOTA),
    maxMediaFileBytes: parseSize(settings.MEDIA_FILE_LIMIT),
    maxReaderFeeds: Number(settings.READER_FEEDS),
    notifications: settings.NOTIFICATIONS === 'on',
    pushHosts: settings.PUSH_HOSTS === undefined ? null : splitList(settings.PUSH_HOSTS.toLowerCase()),
    retentionDays: Number(settings.RETENTION_DAYS),
    securityContact: settings.SECURITY_CONTACT ?? null,
    logLevel: settings.LOG_LEVEL,
    metricsToken: settings.METRICS_TOKEN ?? null,
    trustProxy: readTrustedProxies(settings.TRUST_PROXY),
    botApiFiles: settings.BOT_API_FILES ?? null,
  };
}

function parseS3Settings(settings: Settings): S3Settings | null {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = settings;
  if (bucket === undefined) return null;
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must both be set, or neither.');
  const folders = (settings.S3_PREFIX ?? '').split('/').filter((name) => name !== '');
  return {
    endpoint: settings.S3_ENDPOINT === undefined ? null : parseOrigin('S3_ENDPOINT', settings.S3_ENDPOINT),
    region: settings.S3_REGION,
    bucket,
    credentials: accessKeyId === undefined || secretAccessKey === undefined ? null : { accessKeyId, secretAccessKey },
    prefix: folders.map((name) => `${name}/`).join(''),
    publicUrl: settings.S3_PUBLIC_URL === undefined ? null : parsePublicMediaUrl(settings.S3_PUBLIC_URL),
  };
}

function parsePublicMediaUrl(address: string): string {
  if (!URL.canParse(address)) throwInvalidSetting('S3_PUBLIC_URL', address, Settings.properties.S3_PUBLIC_URL);
  return new URL(address).href.replace(/\/+$/, '');
}

function readTrustedProxies(setting: string): TrustedProxies {
  return parseTrustedProxies(setting) ?? throwInvalidSetting('TRUST_PROXY', setting, Settings.properties.TRUST_PROXY);
}

/** Parses a size: "20GB" is 20 · 1024³ bytes, the unit in which Telegram counts its 20 MB. */
const parseSize = (size: string): number => {
  const [, number = '0', unit = ''] = /^([\d.]+) ?([KMGT]?)B?$/.exec(size) ?? [];
  return Math.round(Number(number) * 1024 ** ' KMGT'.indexOf(unit || ' '));
};

const splitList = (text: string | undefined): string[] => (text ?? '').split(/[\s,]+/).filter((item) => item !== '');

function parseOrigin(name: 'PUBLIC_URL' | 'EMBED_ORIGINS' | 'S3_ENDPOINT', address: string): string {
  if (!URL.canParse(address)) throwInvalidSetting(name, address, Settings.properties[name]);
  return new URL(address).origin;
}

function parseDatabaseUrls(settings: Settings): Pick<Config, 'databaseUrl' | 'databaseReplicaUrl'> {
  for (const name of ['DATABASE_URL', 'DATABASE_REPLICA_URL'] as const) {
    const address = settings[name];
    if (address !== undefined && parsePostgresUrl(address) === null)
      throwInvalidSetting(name, address, Settings.properties[name]);
  }
  const { DATABASE_URL: databaseUrl = null, DATABASE_REPLICA_URL: databaseReplicaUrl = null } = settings;
  if (databaseUrl === null && databaseReplicaUrl !== null)
    throw new ConfigError('DATABASE_REPLICA_URL is set without DATABASE_URL, the database that it replicates.');
  return { databaseUrl, databaseReplicaUrl };
}

function parseApiRoot(address: string): string {
  if (!URL.canParse(address)) throwInvalidSetting('BOT_API_ROOT', address, Settings.properties.BOT_API_ROOT);
  return address.replace(/\/+$/, '');
}

function throwInvalidSetting(name: string, value: unknown, schema: object): never {
  const problem = SECRET_SETTINGS.has(name) ? 'has the wrong format' : `is ${JSON.stringify(value)}`;
  const expected = 'description' in schema ? String(schema.description) : 'something else';
  throw new ConfigError(`${name} ${problem}; it should be ${expected}.`);
}
