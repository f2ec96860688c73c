/**
 * Parser combinators for untrusted JSON: a `Parse` function checks the unknown value `raw` and returns it as a `Value`,
 * or throws a `ParseError`. `path` is the path of the value in the JSON, for the message of the error.
 */
export type Parse<Value> = (raw: unknown, path: string) => Value;

/**
 * A response that does not match the contract. `message` contains the path of the error, such as `post.items[3].date`.
 */
export class ParseError extends Error {
  override readonly name = 'ParseError';
}

/** A parser per field. The parser of an optional field may return undefined, which omits the field. */
type FieldParsers<Value> = {
  [Key in keyof Value]-?: Parse<object extends Pick<Value, Key> ? Value[Key] | undefined : Value[Key]>;
};

function fail(raw: unknown, path: string, expected: string): never {
  throw new ParseError(`${path} should be ${expected}, not ${raw === null ? 'null' : typeof raw}`);
}

export const string: Parse<string> = (raw, path) => (typeof raw === 'string' ? raw : fail(raw, path, 'a string'));
export const number: Parse<number> = (raw, path) =>
  typeof raw === 'number' && Number.isFinite(raw) ? raw : fail(raw, path, 'a number');
export const boolean: Parse<boolean> = (raw, path) => (typeof raw === 'boolean' ? raw : fail(raw, path, 'true or false'));

/**
 * Enum parser: accepts the keys of `allowed`. Any other string, such as one of a newer server, becomes `fallback`;
 * without a `fallback` it is rejected.
 */
export const oneOf =
  <Name extends string>(allowed: Readonly<Record<Name, unknown>>, fallback?: NoInfer<Name>): Parse<Name> =>
  (raw, path) => {
    const isAllowed = (value: string): value is Name => Object.hasOwn(allowed, value);
    const value = string(raw, path);
    return isAllowed(value) ? value : (fallback ?? fail(raw, path, `one of ${Object.keys(allowed).join(', ')}`));
  };

/** Creates a parser that accepts an absent value and null, both as undefined. */
export const optional =
  <Value>(parse: Parse<Value>): Parse<Value | undefined> =>
  (raw, path) =>
    raw === undefined || raw === null ? undefined : parse(raw, path);

/**
 * Creates a parser that returns undefined for a value that `parse` rejects, such as a value that only a newer server
 * knows.
 */
export const lenient =
  <Value>(parse: Parse<Value>): Parse<Value | undefined> =>
  (raw, path) => {
    try {
      return optional(parse)(raw, path);
    } catch {
      return undefined;
    }
  };

/** Creates a parser that accepts null in addition. */
export const nullable =
  <Value>(parse: Parse<Value>): Parse<Value | null> =>
  (raw, path) =>
    raw === null ? null : parse(raw, path);

/** Creates a parser of an array whose items `parse` accepts. */
export const list =
  <Item>(parse: Parse<Item>): Parse<Item[]> =>
  (raw, path) =>
    Array.isArray(raw) ? raw.map((item: unknown, index) => parse(item, `${path}[${index}]`)) : fail(raw, path, 'a list');

/** Creates a parser of an object with these fields. Other fields, which a newer server may add, are ignored. */
export const shape =
  <Value extends object>(fields: FieldParsers<Value>): Parse<Value> =>
  (raw, path) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return fail(raw, path, 'an object');
    const value: Partial<Value> = {};
    for (const key in fields) {
      const parsed = fields[key](Reflect.get(raw, key), `${path}.${key}`);
      if (parsed !== undefined) value[key] = parsed;
    }
    // The cast is sound: every field of Value has been parsed above, optional ones if they were present.
    return value as Value;
  };
