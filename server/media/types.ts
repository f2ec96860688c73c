/** What a browser may show in place; everything else (SVG, HTML and PDF too) could run or frame something and is downloaded. */
const INLINE = new Set([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'image/avif',
  'video/mp4',
  'video/webm',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/opus',
  'audio/webm',
  'audio/wav',
  'audio/x-wav',
  'audio/flac',
  'audio/x-flac',
]);

/** Whether a kept file of this type is served to be shown, under its own type. */
export const isShownInline = (mime: string): boolean => INLINE.has(mime.toLowerCase());
