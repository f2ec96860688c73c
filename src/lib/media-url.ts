/** Width of the smallest picture that our server generates, px. */
const SMALLEST_WIDTH_PX = 320;

/**
 * Responsive images: returns the `srcset` of a picture, with the sizes that our server generates. Returns undefined for
 * any other URL, for small pictures, and for formats that may be animated.
 */
export function srcSet(src: string, width = 0): string | undefined {
  const [, prefix, suffix] = /^(.*\/[\da-f]{64})\.(?:jpg|png|avif)(.*)/.exec(src) ?? [];
  const sizes = [SMALLEST_WIDTH_PX, 640, 1280].map((size) => (size < width ? `${prefix}.w${size}.webp${suffix} ${size}w,` : ''));
  return prefix && width > SMALLEST_WIDTH_PX ? `${sizes.join('')}${src} ${width}w` : undefined;
}
