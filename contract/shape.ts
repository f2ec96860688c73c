/**
 * Parser combinators for untrusted JSON: a `Parse` function returns an unknown value as a `Value`, or throws a `ParseError`
 * with the path of the error.
 */
export type Parse<Value> = (raw: unknown, at: string) => Value;

/** A response that does not match the contract. `message` contains the path of the error, such as `post.items[3].date`. */
export class ParseError extends Error {
  override readonly name = 'ParseError';
}

/** A parser per field. The parser of an optional field may return undefined, which omits the field. */
type FieldParsers<Value> = {
  [Key in keyof Value]-?: Parse<object extends Pick<Value, Key> ? Value[Key] | undefined : Value[Key]>;
};

function fail(raw: unknown, at: string, wanted: string): never {
  throw new ParseError(`${at} should be ${wanted}, not ${raw === null ? 'null' : typeof raw}`);
}

export const string: Parse<string> = (raw, at) => (typeof raw === 'string' ? raw : fail(raw, at, 'a string'));
export const number: Parse<number> = (raw, at) =>
  typeof raw === 'number' && Number.isFinite(raw) ? raw : fail(raw, at, 'a number');
export const boolean: Parse<boolean> = (raw, at) => (typeof raw === 'boolean' ? raw : fail(raw, at, 'true or false'));

/**
 * Enum parser: accepts the keys of `words`. Any other string, such as one added later, becomes `otherwise`; without `otherwise`
 * it is rejected.
 */
export const oneOf =
  <Word extends string>(words: Readonly<Record<Word, unknown>>, otherwise?: NoInfer<Word>): Parse<Word> =>
  (raw, at) => {
    const isWord = (value: string): value is Word => Object.hasOwn(words, value);
    const value = string(raw, at);
    return isWord(value) ? value : (otherwise ?? fail(raw, at, `one of ${Object.keys(words).join(', ')}`));
  };

/** Creates a parser that accepts an absent value and null, both as undefined. */
export const optional =
  <Value>(parse: Parse<Value>): Parse<Value | undefined> =>
  (raw, at) =>
    raw === undefined || raw === null ? undefined : parse(raw, at);

/** Creates a parser that returns undefined for a value that `parse` rejects: for additions of a newer server. */
export const lenient =
  <Value>(parse: Parse<Value>): Parse<Value | undefined> =>
  (raw, at) => {
    try {
      return optional(parse)(raw, at);
    } catch {
      return undefined;
    }
  };

export const nullable =
  <Value>(parse: Parse<Value>): Parse<Value | null> =>
  (raw, at) =>
    raw === null ? null : parse(raw, at);

export const list =
  <Item>(parse: Parse<Item>): Parse<Item[]> =>
  (raw, at) =>
    Array.isArray(raw) ? raw.map((item: unknown, index) => parse(item, `${at}[${index}]`)) : fail(raw, at, 'a list');

/** Parses an object with these fields. Other fields, which a newer server may add, are ignored. */
export const shape =
  <Value extends object>(fields: FieldParsers<Value>): Parse<Value> =>
  (raw, at) => {
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return fail(raw, at, 'an object');
    const value: Partial<Value> = {};
    for (const key in fields) {
      const read = fields[key](Reflect.get(raw, key), `${at}.${key}`);
      if (read !== undefined) value[key] = read;
    }
    // The cast is sound: every field of Value has been parsed above, optional ones if they were present.
    return value as Value;
  };
