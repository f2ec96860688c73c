/**
 * Names the sizes that the server makes of a picture it keeps, for `srcset`; undefined for any other address, for small
 * pictures and for those that may move.
 */
export function srcSet(src: string, width = 0): string | undefined {
  const [, start, end] = /^(.*\/[\da-f]{64})\.(?:jpg|png|avif)(.*)/.exec(src) ?? [];
  const sizes = [320, 640, 1280].map((size) => (size < width ? `${start}.w${size}.webp${end} ${size}w,` : ''));
  return start && width > 320 ? `${sizes.join('')}${src} ${width}w` : undefined;
}
