/** An object of a file or an update, before anything in it is believed. */
export type Raw = Readonly<Record<string, unknown>>;

/** Tells an object from everything else that JSON can be. */
export const isRaw = (value: unknown): value is Raw => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a text field; anything else is as if it were absent. */
export const textField = (raw: Raw, name: string): string | undefined => {
  const value = raw[name];
  return typeof value === 'string' ? value : undefined;
};

/** Reads a text field that says something. */
export const filledField = (raw: Raw, name: string): string | undefined => textField(raw, name) || undefined;

/** Reads a number field; anything else is as if it were absent. */
export const numberField = (raw: Raw, name: string): number | undefined => {
  const value = raw[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** Reads a whole number that is not negative. */
export const countField = (raw: Raw, name: string): number | undefined => {
  const value = numberField(raw, name);
  return value !== undefined && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
};

/** Reads a list field; anything else is an empty list. */
export const listField = (raw: Raw, name: string): readonly unknown[] => {
  const value = raw[name];
  return Array.isArray(value) ? value : [];
};

/** Reads an id that may be told as a number or as its digits; what is neither is never asked how it would be written. */
export const digits = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? /^\d{1,20}$/.exec(String(value))?.[0] : undefined;

/** Reads unix seconds, which exports write as a string. */
export const secondsField = (raw: Raw, name: string): number | undefined => {
  const value = raw[name];
  const seconds = typeof value === 'string' && /^\d{1,11}$/.test(value) ? Number(value) : value;
  return typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0 && seconds < 2 ** 33 ? seconds : undefined;
};

/** Leaves out what is undefined, so that absent stays absent. */
export const defined = <T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T => {
  const kept: T = Object.create(Object.prototype);
  for (const name in fields) {
    const value = fields[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
};
