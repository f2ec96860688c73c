/**
 * Returns the `srcset` of a picture, with the sizes that our server generates. Returns undefined for any other URL, for small
 * pictures, and for formats that may be animated.
 */
export function srcSet(src: string, width = 0): string | undefined {
  const [, start, end] = /^(.*\/[\da-f]{64})\.(?:jpg|png|avif)(.*)/.exec(src) ?? [];
  const sizes = [320, 640, 1280].map((size) => (size < width ? `${start}.w${size}.webp${end} ${size}w,` : ''));
  return start && width > 320 ? `${sizes.join('')}${src} ${width}w` : undefined;
}
