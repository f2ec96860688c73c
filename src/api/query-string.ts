/** Serializes request parameters to a query string, without the question mark. Skips undefined values. */
export function toQueryString(params: Readonly<Record<string, unknown>>): string {
  const defined = Object.entries(params).filter(([, value]) => value !== undefined);
  return new URLSearchParams(defined.map(([name, value]): [string, string] => [name, String(value)])).toString();
}
