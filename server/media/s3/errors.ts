/** Errors of object storage: turns those of the AWS SDK into sentences for the operator, without any credential. */
import { StorageError } from '../../lib/infrastructure-errors.ts';

/** Faults of the settings, which only an operator can correct. */
const SETTING_FAULTS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'S3_BUCKET: there is no bucket of this name at S3_ENDPOINT',
  InvalidBucketName: 'S3_BUCKET: its server does not accept this name of a bucket',
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID: its server does not know this key',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY: it is not the secret of S3_ACCESS_KEY_ID',
  AccessDenied: 'S3_BUCKET: the access key may not use this bucket',
  Forbidden: 'S3_BUCKET: the access key may not use this bucket',
  AllAccessDisabled: 'S3_BUCKET: the access key may not use this bucket',
  PermanentRedirect: 'S3_REGION: the bucket is in another region',
  AuthorizationHeaderMalformed: 'S3_REGION: the bucket is in another region',
  IllegalLocationConstraintException: 'S3_REGION: the bucket is in another region',
  RequestTimeTooSkewed: 'S3_ENDPOINT: the clock of this machine differs too much from that of the server',
  CredentialsProviderError: 'S3_ACCESS_KEY_ID: it is not set, and the AWS SDK found no other credentials',
  ENOTFOUND: 'S3_ENDPOINT: its host name is unknown',
  CERT_HAS_EXPIRED: 'S3_ENDPOINT: its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'S3_ENDPOINT: its certificate is not from a known authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'S3_ENDPOINT: its certificate is not from a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'S3_ENDPOINT: its certificate is for another host name',
};

/** Faults that end by themselves. */
const TRANSIENT_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'S3_ENDPOINT: no server listens at its address',
  ECONNRESET: 'S3_ENDPOINT: its server closed the connection',
  EPIPE: 'S3_ENDPOINT: its server closed the connection',
  EAI_AGAIN: 'S3_ENDPOINT: its host name cannot be resolved at the moment',
  TimeoutError: 'S3_ENDPOINT: its server does not respond in time',
  RequestTimeout: 'S3_ENDPOINT: its server did not receive the data in time',
  ETIMEDOUT: 'S3_ENDPOINT: its server does not respond in time',
  SlowDown: 'S3_ENDPOINT: its server receives too many requests',
  ServiceUnavailable: 'S3_ENDPOINT: its server is not available at the moment',
  InternalError: 'S3_ENDPOINT: its server has an internal error',
  QuotaExceeded: 'S3_BUCKET: the bucket is full',
  EntityTooLarge: 'S3_ENDPOINT: its server does not accept a file of this size',
  InvalidDigest: 'S3_ENDPOINT: a file was damaged on its way to the server',
  BadDigest: 'S3_ENDPOINT: a file was damaged on its way to the server',
  XAmzContentSHA256Mismatch: 'S3_ENDPOINT: a file was damaged on its way to the server',
  INCOMPLETE: 'S3_ENDPOINT: its server did not store a file completely',
};

/** Returns the names by which an error may be known. The SDK calls every failure of the network a TimeoutError. */
const codesOf = (error: unknown): string[] => {
  if (!(error instanceof Error)) return [];
  const code = 'code' in error ? [String(error.code)] : [];
  const wrapped = error.cause === undefined ? [] : codesOf(error.cause);
  return [...code, ...(error.name === 'Error' ? [] : [error.name]), ...wrapped];
};

const statusOf = (error: unknown): number | null => {
  const metadata = error instanceof Error && '$metadata' in error ? error.$metadata : null;
  const isObject = typeof metadata === 'object' && metadata !== null && 'httpStatusCode' in metadata;
  return isObject && typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : null;
};

/** Returns whether an object or, to a request without a body, its bucket does not exist. */
export const isMissingObject = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'NoSuchKey' || error.name === 'NotFound');

/** Returns whether an operator has to correct a setting, because the error does not end by itself. */
export const isSettingFault = (error: unknown): boolean =>
  error instanceof StorageError && error.kind === 'media' && SETTING_FAULTS[error.code.replace(/^S3_/, '')] !== undefined;

/**
 * Creates the error of a failed request. The message is a sentence that begins with a setting. It contains no text of
 * the server's response, which may repeat a key.
 */
export const toMediaError = (error: unknown): StorageError => {
  if (error instanceof StorageError) return error;
  const codes = codesOf(error);
  const known = codes.find((code) => SETTING_FAULTS[code] !== undefined || TRANSIENT_FAULTS[code] !== undefined);
  const status = statusOf(error);
  const code = known ?? (status === 403 ? 'Forbidden' : (codes[0] ?? 'unknown'));
  const reason =
    SETTING_FAULTS[code] ??
    TRANSIENT_FAULTS[code] ??
    `S3_ENDPOINT: its server failed (${status === null ? '' : `${status} `}${code.replace(/[^\w-]/g, '')})`;
  return new StorageError('media', `S3_${code}`, `${reason}.`, { cause: error });
};
