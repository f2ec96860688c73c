/** Field readers for untrusted JSON. */

/** Untrusted JSON object of a file or an update, before its fields are validated. */
export type RawObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is a JSON object. */
export const isRawObject = (value: unknown): value is RawObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a text field; undefined for any other value. */
export const textField = (raw: RawObject, name: string): string | undefined => {
  const value = raw[name];
  return typeof value === 'string' ? value : undefined;
};

/** Reads a text field that is not empty. */
export const nonEmptyTextField = (raw: RawObject, name: string): string | undefined => textField(raw, name) || undefined;

/** Reads a number field; undefined for any other value. */
export const numberField = (raw: RawObject, name: string): number | undefined => {
  const value = raw[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** Reads a non-negative integer. */
export const countField = (raw: RawObject, name: string): number | undefined => {
  const value = numberField(raw, name);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** Reads a list field; an empty list for any other value. */
export const listField = (raw: RawObject, name: string): readonly unknown[] => {
  const value = raw[name];
  return Array.isArray(value) ? value : [];
};

/** Reads an id that is a number or a text of digits; undefined for any other value. */
export const parseDigits = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? /^\d{1,20}$/.exec(String(value))?.[0] : undefined;

/** Limit of unix seconds: a date in the year 2242. */
const MAX_UNIX_SECONDS = 2 ** 33;

/** Reads unix seconds, which exports write as a string. */
export const secondsField = (raw: RawObject, name: string): number | undefined => {
  const value = raw[name];
  const seconds = typeof value === 'string' && /^\d{1,11}$/.test(value) ? Number(value) : value;
  const isValid = typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds < MAX_UNIX_SECONDS;
  return isValid ? seconds : undefined;
};

/** Omits undefined fields, so that absent fields stay absent. */
export const omitUndefined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T => {
  const present: T = Object.create(Object.prototype);
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) present[name] = value;
  }
  return present;
};
