/** Reads a property of an unknown value, for example of a thrown one; undefined if it has no such property. */
export const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
