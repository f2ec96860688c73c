/** Reads a property of an unknown value, for example a thrown one; undefined where it has none. */
export const property = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
