export type Range =
  | { readonly type: 'whole' }
  | { readonly type: 'part'; readonly start: number; readonly end: number }
  | { readonly type: 'unsatisfiable' };

const WHOLE: Range = { type: 'whole' };

/**
 * HTTP ranges: parses a Range header (RFC 9110, one range). Several ranges or another unit return the whole file. `end` is
 * inclusive. An If-Range with another version returns the whole file.
 */
export function parseRange(
  header: string | undefined,
  ifRange: string | string[] | undefined,
  etag: string,
  size: number,
): Range {
  if (header === undefined || (ifRange !== undefined && ifRange !== etag)) return WHOLE;
  const [, first = '', last = ''] = /^bytes=\s*(\d*)-(\d*)\s*$/.exec(header) ?? [];
  if (first === '' && last === '') return WHOLE;
  if (first === '')
    return Number(last) === 0 || size === 0 ? { type: 'unsatisfiable' } : part(Math.max(0, size - Number(last)), size - 1);
  if (last !== '' && Number(last) < Number(first)) return WHOLE;
  if (Number(first) >= size) return { type: 'unsatisfiable' };
  return part(Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1));
}

const part = (start: number, end: number): Range => ({ type: 'part', start, end });
