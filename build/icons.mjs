import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const TICK_COUNT = 9;
const SELECTED_TICK = 6;

/** Returns the angle of a tick: the ticks span 270 degrees, symmetrically around the top. */
const tickDegrees = (index) => -135 + (270 / (TICK_COUNT - 1)) * index;

/**
 * Returns the icon as SVG: the dial of a channel changer on the brand's blue. `corner` is the corner radius of the
 * background, `scale` the size of the dial, which leaves a margin around it.
 */
function renderIcon({ corner, scale }) {
  const tickPaths = Array.from({ length: TICK_COUNT }, (_, index) => {
    const degrees = tickDegrees(index);
    const colour = index === SELECTED_TICK ? '#f2c14e' : '#fff" stroke-opacity=".6';
    return `<path d="M0-158V-190" transform="rotate(${degrees})" stroke="${colour}" stroke-width="24"/>`;
  });
  const degrees = tickDegrees(SELECTED_TICK);
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">',
    `<rect width="512" height="512" rx="${corner}" fill="#3a5bd9"/>`,
    `<g transform="translate(256 268) scale(${scale})" stroke-linecap="round">`,
    ...tickPaths,
    '<circle r="116" fill="#fff"/>',
    `<path d="M0-38V-80" transform="rotate(${degrees})" stroke="#3a5bd9" stroke-width="30"/>`,
    '</g></svg>',
  ].join('');
}

/** Returns the dial as a white shape on a transparent background. Android shows it in the status bar. */
function renderBadge() {
  const tickPaths = Array.from(
    { length: TICK_COUNT },
    (_, index) => `<path d="M0-176V-222" transform="rotate(${tickDegrees(index)})" stroke="#fff" stroke-width="30"/>`,
  );
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">',
    '<g transform="translate(256 272)" stroke-linecap="round">',
    ...tickPaths,
    '<circle r="112" fill="none" stroke="#fff" stroke-width="36"/>',
    `<path d="M0-20V-70" transform="rotate(${tickDegrees(SELECTED_TICK)})" stroke="#fff" stroke-width="34"/>`,
    '</g></svg>',
  ].join('');
}

const BADGE_SIZE = 96;

const ROUNDED = { corner: 116, scale: 1 };
// The system may crop a maskable icon to a circle of 80 %. Apple's systems round the corners themselves.
const MASKABLE = { corner: 0, scale: 0.8 };
const APPLE = { corner: 0, scale: 0.92 };

/** Icons: writes the files that the manifest, the shell and the service worker refer to. */
export async function buildIcons(web) {
  await writeFile(join(web, 'icon.svg'), renderIcon(ROUNDED));
  const icons = {
    'icon-192': [ROUNDED, 192],
    'icon-512': [ROUNDED, 512],
    'icon-maskable-512': [MASKABLE, 512],
    'apple-touch-icon': [APPLE, 180],
  };
  for (const [name, [variant, size]] of Object.entries(icons))
    await writePng(join(web, `${name}.png`), renderIcon(variant), size);
  await writePng(join(web, `badge-${BADGE_SIZE}.png`), renderBadge(), BADGE_SIZE);
}

async function writePng(path, svg, size) {
  await sharp(Buffer.from(svg), { density: 96 }).resize(size, size).png({ compressionLevel: 9, palette: true }).toFile(path);
}
