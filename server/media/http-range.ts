/** Part of a file that a response contains. `whole`: the complete file. */
export type ByteRange =
  | { readonly type: 'full' }
  | { readonly type: 'part'; readonly start: number; readonly end: number }
  | { readonly type: 'unsatisfiable' };

const FULL_RANGE: ByteRange = { type: 'full' };

/**
 * HTTP ranges: parses a Range header (RFC 9110, one range). Returns the complete file for several ranges, another unit,
 * or an If-Range with another version. `end` is inclusive.
 */
export function parseRange(
  header: string | undefined,
  ifRange: string | string[] | undefined,
  etag: string,
  size: number,
): ByteRange {
  if (header === undefined || (ifRange !== undefined && ifRange !== etag)) return FULL_RANGE;
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header) ?? [];
  if (first === '' && last === '') return FULL_RANGE;
  if (first === '')
    return Number(last) === 0 || size === 0
      ? { type: 'unsatisfiable' }
      : partialRange(Math.max(0, size - Number(last)), size - 1);
  if (last !== '' && Number(last) < Number(first)) return FULL_RANGE;
  if (Number(first) >= size) return { type: 'unsatisfiable' };
  return partialRange(Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1));
}

const partialRange = (start: number, end: number): ByteRange => ({ type: 'part', start, end });
