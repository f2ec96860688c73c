/** Hostile request body that takes long to process: its name, and its text of at most a given number of bytes. */
export interface Body {
  readonly name: string;
  readonly text: string;
}

/** Repeats an item, separated by commas, in at most this number of bytes. */
const repeatInList = (item: string, bytes: number): string => {
  const count = Math.max(1, Math.floor(bytes / (Buffer.byteLength(item) + 1)));
  return `${`${item},`.repeat(count - 1)}${item}`;
};

/** Upper limit of the size of one generated key with its value: `"kkkabc":0,`. */
const KEY_BYTES = 12;

const manyKeys = (bytes: number): string => {
  const count = Math.floor(bytes / KEY_BYTES);
  return Array.from({ length: count }, (_, index) => `"${index.toString(36).padStart(6, 'k')}":0`).join();
};

const nestDeeply = (open: string, close: string, bytes: number): string => {
  const depth = Math.floor(bytes / (open.length + close.length + 1));
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
};

/** Values of at most a given number of bytes that may take a parser or a validator long. */
const VALUES: Readonly<Record<string, (bytes: number) => string>> = {
  zeros: (bytes) => `[${repeatInList('0', bytes - 2)}]`,
  'empty objects': (bytes) => `[${repeatInList('{}', bytes - 2)}]`,
  'empty lists': (bytes) => `[${repeatInList('[]', bytes - 2)}]`,
  'empty strings': (bytes) => `[${repeatInList('""', bytes - 2)}]`,
  'deeply nested lists': (bytes) => nestDeeply('[', ']', bytes),
  'deeply nested objects': (bytes) => nestDeeply('{"a":', '}', bytes),
  'unclosed brackets': (bytes) => '['.repeat(bytes),
  'many keys': (bytes) => `{${manyKeys(bytes - 2)}}`,
  'repeated key': (bytes) => `{${repeatInList('"a":0', bytes - 2)}}`,
  'prototype keys': (bytes) => `[${repeatInList('{"__proto__":{"constructor":{"prototype":1}}}', bytes - 2)}]`,
  'escaped prototype keys': (bytes) => `{"b":[${repeatInList('{"a":0}', bytes - 40)}],"\\u005f_proto__":1}`,
  'long text': (bytes) => `"${'a'.repeat(bytes - 2)}"`,
  'text of escape sequences': (bytes) => `"${'\\u0000'.repeat(Math.floor((bytes - 2) / 6))}"`,
  'text of emoji': (bytes) => `"${'😀'.repeat(Math.floor((bytes - 2) / 4))}"`,
  'text of spaces': (bytes) => `"${' '.repeat(bytes - 3)}a"`,
  'long number': (bytes) => `1${'0'.repeat(bytes - 1)}`,
};

/** Schema of a request body, as in the API's own description. */
export interface BodySchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly required?: readonly string[];
  readonly items?: BodySchema;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
}

/**
 * Returns a value that a schema accepts. Texts and lists are as long as allowed, but at most `maxSize`. With a
 * `maxSize` of 1, the value has only the required properties. Different seeds produce different values.
 */
function createAcceptedValue(schema: BodySchema, maxSize: number, seed = 0): unknown {
  const { type, properties, items, required = [] } = schema;
  if (type === 'object' || properties !== undefined)
    return Object.fromEntries(
      Object.entries(properties ?? {})
        .filter(([name]) => maxSize > 1 || required.includes(name))
        .map(([name, propertySchema]) => [name, createAcceptedValue(propertySchema, maxSize, seed)]),
    );
  if (type === 'array')
    return Array.from({ length: Math.max(schema.minItems ?? 0, Math.min(schema.maxItems ?? maxSize, maxSize)) }, (_, index) =>
      createAcceptedValue(items ?? {}, maxSize, seed * 1000 + index),
    );
  // The padding is a letter of two bytes in UTF-8.
  if (type === 'string') return String(seed).padEnd(Math.max(1, Math.min(schema.maxLength ?? maxSize, maxSize)), '\u042b');
  if (type === 'integer' || type === 'number') return Math.max(schema.minimum ?? 0, 1) + seed;
  return type === 'boolean';
}

/** Returns the largest value that a schema accepts within this number of bytes. */
function createLargestAcceptedText(schema: BodySchema, bytes: number): string {
  let best = JSON.stringify(createAcceptedValue(schema, 1));
  for (const maxSize of [2, 4, 8, 12, 16, 20, 32, 64, 128, 256, 512, 1000, 10_000]) {
    // Does not serialize a value that would be far over the limit: each size is about twice the previous one, or more.
    if (maxSize > 64 && best.length * 2 > bytes) break;
    const text = JSON.stringify(createAcceptedValue(schema, maxSize));
    if (Buffer.byteLength(text) <= bytes) best = text;
    else break;
  }
  return best;
}

/** Returns the longest list that fits of the smallest items that its schema accepts, all different. */
function createLongestList(schema: BodySchema, bytes: number): string {
  const items: string[] = [];
  for (let [seed, remainingBytes] = [1, bytes - 2]; seed <= (schema.maxItems ?? Number.POSITIVE_INFINITY); seed += 1) {
    const item = JSON.stringify(createAcceptedValue(schema.items ?? {}, 1, seed));
    remainingBytes -= Buffer.byteLength(item) + 1;
    if (remainingBytes < 0) break;
    items.push(item);
  }
  return `[${items.join()}]`;
}

/** Returns an object with a value for one property, and valid values for the other required properties. */
function createObjectWith(schema: BodySchema, name: string, bytes: number, valueWithin: (bytes: number) => string): string {
  const otherProperties = (schema.required ?? []).filter((otherName) => otherName !== name);
  const otherMembers = otherProperties.map(
    (otherName) => `${JSON.stringify(otherName)}:${JSON.stringify(createAcceptedValue(schema.properties?.[otherName] ?? {}, 1))}`,
  );
  const start = `{${otherMembers.map((otherMember) => `${otherMember},`).join('')}${JSON.stringify(name)}:`;
  return `${start}${valueWithin(bytes - Buffer.byteLength(start) - 1)}}`;
}

/** Returns bodies of at most this number of bytes for a route, including bodies from its schema if it has one. */
export function hostileBodies(schema: BodySchema | undefined, bytes: number): Body[] {
  const bodies = Object.entries(VALUES).map(([name, valueWithin]) => ({ name, text: valueWithin(bytes) }));
  if (schema?.properties === undefined) return bodies;
  bodies.push({ name: 'largest accepted value', text: createLargestAcceptedText(schema, bytes) });
  for (const [property, propertySchema] of Object.entries(schema.properties)) {
    for (const [name, valueWithin] of Object.entries(VALUES))
      bodies.push({ name: `${property}: ${name}`, text: createObjectWith(schema, property, bytes, valueWithin) });
    if (propertySchema.type !== 'array') continue;
    const longestList = (remainingBytes: number) => createLongestList(propertySchema, remainingBytes);
    bodies.push({ name: `${property}: longest accepted list`, text: createObjectWith(schema, property, bytes, longestList) });
    const listWithInvalidItem = (remainingBytes: number) =>
      `${createLongestList(propertySchema, remainingBytes - 3).slice(0, -1)},0]`;
    bodies.push({ name: `${property}: last item invalid`, text: createObjectWith(schema, property, bytes, listWithInvalidItem) });
  }
  return bodies;
}
