/**
 * Demo pictures: draws every photo, sticker and channel picture of the demo network, so that all of them are the project's own work.
 * Run `node demo/draw.mjs [name…]` from the repository. Each run draws the same pictures.
 */
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sharp from 'sharp';

let random = () => 0.5;
/** Creates a pseudorandom number generator with a seed (mulberry32), so that a picture has the same bytes in every run. */
const seeded = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};
const between = (low, high) => low + random() * (high - low);
const pick = (list) => list[Math.floor(random() * list.length)];
const times = (n, draw) => Array.from({ length: n }, (_, i) => draw(i, n)).join('');

const rect = (x, y, w, h, fill, more = '') => `<rect x="${x}" y="${y}" width="${w}" height="${h}" fill="${fill}" ${more}/>`;
const circle = (x, y, r, fill, more = '') => `<circle cx="${x}" cy="${y}" r="${r}" fill="${fill}" ${more}/>`;
const oval = (x, y, rx, ry, fill, more = '') => `<ellipse cx="${x}" cy="${y}" rx="${rx}" ry="${ry}" fill="${fill}" ${more}/>`;
const path = (d, fill, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;
const line = (d, stroke, width, more = '') => `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;
const at = (x, y, scale, body, turn = 0) => `<g transform="translate(${x} ${y}) scale(${scale}) rotate(${turn})">${body}</g>`;
let shades = 0;
/** Defines a vertical (or radial) gradient with these color stops, and calls `draw` with its paint. */
const shaded = (stops, draw, kind = 'linear') => {
  const id = `s${shades++}`;
  const list = stops.map((stop, i) => {
    const [color, opacity = 1] = [].concat(stop);
    return `<stop offset="${i / (stops.length - 1)}" stop-color="${color}" stop-opacity="${opacity}"/>`;
  });
  const open = kind === 'linear' ? `<linearGradient id="${id}" x1="0" y1="0" x2="0" y2="1">` : `<radialGradient id="${id}">`;
  return `<defs>${open}${list.join('')}</${kind}Gradient></defs>${draw(`url(#${id})`)}`;
};
const glow = (x, y, r, color, strength = 0.8) =>
  shaded([[color, strength], [color, strength * 0.3], [color, 0]], (paint) => circle(x, y, r, paint), 'radial');

/** Palettes by time of day: sky from top to bottom, sea from the horizon down, land from far to near, and the light. */
const HOURS = {
  dawn: { sky: ['#5b7fa8', '#d9a7a6', '#fbd9a5'], sea: ['#f0bf98', '#3d6384'], land: ['#a894a6', '#6c7192', '#39506e'], light: '#ffe9bd' },
  noon: { sky: ['#5ba9cc', '#a9d8dc', '#e8f1df'], sea: ['#8ccaca', '#1f6480'], land: ['#a5c6b4', '#6a9f8a', '#38685a'], light: '#fffbe8' },
  dusk: { sky: ['#31335f', '#9a5680', '#f5996a'], sea: ['#d47a66', '#2a2c56'], land: ['#7a5078', '#4d3963', '#2a2747'], light: '#ffd59a' },
  storm: { sky: ['#36424e', '#687983', '#aeb9b3'], sea: ['#80938f', '#243641'], land: ['#71807f', '#4c5d60', '#2c3d42'], light: '#dfe6da' },
  night: { sky: ['#080e26', '#16244c', '#3b4f80'], sea: ['#2d4272', '#070d22'], land: ['#25355f', '#182448', '#0c142e'], light: '#f4edd2' },
  fog: { sky: ['#b9c4c3', '#d6dad1', '#ece8da'], sea: ['#d5d9d0', '#8fa3a5'], land: ['#cdd3cb', '#b2bebb', '#8b9f9f'], light: '#fffdf2' },
  autumn: { sky: ['#8fb4c0', '#d8dcc2', '#f6e2b3'], sea: ['#c9bf8f', '#6f7d4e'], land: ['#c6a965', '#a8743c', '#6b4a2f'], light: '#fff3cf' },
};

const sky = (w, h, hour) => shaded(hour.sky, (paint) => rect(0, 0, w, h, paint));
const sun = (x, y, r, hour) => glow(x, y, r * 4.5, hour.light, 0.55) + circle(x, y, r, hour.light);
const stars = (w, h, n) => times(n, () => circle(between(0, w), between(0, h), between(0.6, 2.4), '#fff', `opacity="${between(0.25, 1)}"`));
const clouds = (w, y, n, color) =>
  times(n, () => {
    const [x, cy, s] = [between(0, w), y + between(-60, 60), between(0.6, 1.5)];
    return at(x, cy, s, path('M-120 20a34 34 0 0 1 30-46 52 52 0 0 1 96-14 40 40 0 0 1 66 26 26 26 0 0 1 18 34z', color, 'opacity=".55"'));
  });
const ridge = (w, h, y, rise, color) => {
  const [a, b, c] = [between(0, 7), between(0, 7), between(0, 7)];
  let d = `M0 ${h}`;
  for (let x = 0; x <= w; x += 10)
    d += `L${x} ${(y - rise * (0.5 * Math.sin(x / 210 + a) + 0.3 * Math.sin(x / 90 + b) + 0.12 * Math.sin(x / 34 + c))).toFixed(1)}`;
  return path(`${d}L${w} ${h}z`, color);
};
const hills = (w, h, y, hour, step = 46) => hour.land.map((color, i) => ridge(w, h, y + i * step, 52 - i * 8, color)).join('');
const sea = (w, h, y, hour, glintX = w / 2) =>
  shaded(hour.sea, (paint) => rect(0, y, w, h - y, paint)) +
  times(46, (i) => {
    const deep = (i / 46) ** 1.5;
    const [len, x] = [between(16, 60) * (0.4 + deep * 2), glintX + between(-1, 1) * (50 + deep * w * 0.42)];
    return line(`M${x - len / 2} ${y + 5 + deep * (h - y)}h${len}`, hour.light, 1.5 + deep * 3.5, `opacity="${between(0.12, 0.5)}"`);
  });
const sail = (color = '#fbf6e9') =>
  path('M-4-118V-8H-62z', color) + path('M4-128Q58-60 56-8H4z', color, 'opacity=".86"') + path('M-70 0H70L48 26H-50z', '#2b3b4c');
const ferry = (body = '#f7f3e8', belt = '#c9503c') =>
  rect(-58, -104, 30, 44, belt, 'rx="4"') + rect(-58, -92, 30, 9, '#fff', 'opacity=".8"') + rect(-120, -64, 230, 34, body, 'rx="8"') +
  rect(-168, -34, 330, 38, body, 'rx="6"') + times(11, (i) => rect(-152 + i * 28, -25, 17, 15, '#2d4b5e', 'rx="3"')) +
  times(7, (i) => rect(-106 + i * 30, -55, 18, 13, '#3d6478', 'rx="3"')) + path('M-200 2H206L176 46H-172z', '#234055') + rect(-194, 6, 392, 8, belt);
const lighthouse = (beam) =>
  (beam ? shaded([['#ffedb0', 0.75], ['#ffedb0', 0.25], ['#ffedb0', 0]], (paint) => path('M0-258L640-350V-166zM0-258L-640-350V-166z', paint), 'radial') : '') +
  path('M-30 0L-18-230H18L30 0z', '#f6f0e2') + path('M-27-60L-24-118H24L27-60zM-21-172L-18-230H18L21-172z', '#c9503c') +
  rect(-26, -240, 52, 10, '#2b3b4c') + rect(-15, -276, 30, 36, '#ffe9a8') + path('M-22-276H22L0-304z', '#2b3b4c') + rect(-7, -34, 14, 34, '#5a4438');
const WALLS = ['#d98f5c', '#e8c07d', '#c4674f', '#8fae9b', '#e5ddc8', '#7f9db0', '#b98a9a'];
/** Street of gabled houses on the line y = 0. `lit` is the fraction of windows with light. */
const houses = (n, width, lit, dark = 0) =>
  times(n, (i) => {
    const [x, tall, roof] = [i * width, between(120, 210), between(46, 80)];
    const shape = (wall, roofing, more) =>
      rect(x, -tall, width + 1, tall, wall, more) + path(`M${x - 5} ${-tall}L${x + width / 2} ${-tall - roof}L${x + width + 5} ${-tall}z`, roofing, more);
    let body = shape(pick(WALLS), pick(['#7a4638', '#53505f', '#8d5540', '#44566a'])) + (dark ? shape('#141b38', '#141b38', `opacity="${dark}"`) : '');
    for (let wy = -tall + 18; wy < -50; wy += 42)
      for (let k = 0; k < 2; k++) body += rect(x + width * (0.18 + k * 0.4), wy, width * 0.22, 26, random() < lit ? '#ffd98a' : dark ? '#2c3855' : '#41546a', 'rx="3"');
    return body + rect(x + width * 0.38, -38, width * 0.24, 38, dark ? '#2a2433' : '#4a3a3a', 'rx="3"');
  });
const tree = (color, trunk = '#5b4636') =>
  rect(-6, -70, 12, 70, trunk) + circle(-26, -92, 36, color) + circle(26, -96, 38, color) + circle(0, -128, 44, color) +
  circle(-14, -134, 26, '#fff', 'opacity=".09"');
const pine = (color) => path('M0-150L34-84H18L44-34H-44L-18-84H-34zM-7-34H7V0H-7z', color);
const lantern = (x, y, r, color) =>
  glow(x, y, r * 3.6, color, 0.6) + oval(x, y, r * 0.86, r, color) + oval(x, y - r * 0.1, r * 0.42, r * 0.66, '#fff6d0', 'opacity=".75"') +
  rect(x - r * 0.36, y - r * 1.12, r * 0.72, r * 0.18, '#3a2a2a') + rect(x - r * 0.3, y + r * 0.94, r * 0.6, r * 0.14, '#3a2a2a');
const GLOWS = ['#ffb347', '#ff8a5c', '#ffd76a', '#f4736a', '#f2a0a8', '#9fd6c2'];
const garland = (x1, y1, x2, y2, sag, n, r) => {
  const spot = (t) => [x1 + (x2 - x1) * t, y1 + (y2 - y1) * t + sag * 4 * t * (1 - t)];
  return line(`M${x1} ${y1}Q${(x1 + x2) / 2} ${(y1 + y2) / 2 + sag * 2} ${x2} ${y2}`, '#20203a', 2.5) +
    times(n, (i) => lantern(...spot((i + 0.5) / n).map((v, axis) => v + axis * r), r, GLOWS[(i * 5 + n) % GLOWS.length]));
};
const person = (color, light) =>
  circle(0, -78, 13, color) + path('M-20 0V-42a20 22 0 0 1 40 0V0z', color) + (light ? line('M14-40L34-66', color, 6) + lantern(36, -50, 11, light) : '');
const crowd = (w, y, n, scale, color, lights = 0) =>
  times(n, (i) => at((i + between(0.1, 0.9)) * (w / n), y + between(-8, 14), scale * between(0.8, 1.12), person(color, random() < lights && pick(GLOWS))));
const tram = (color = '#2f7d4f', number = '5', lit = '#cfe6ea') =>
  line('M-60-196L-10-232L40-196', '#39434b', 5) + rect(-250, -190, 500, 160, color, 'rx="26"') + rect(-250, -104, 500, 14, '#f4ead2') +
  times(5, (i) => rect(-186 + i * 78, -168, 60, 54, lit, 'rx="7"')) + rect(-240, -168, 38, 54, lit, 'rx="7"') + rect(206, -168, 34, 54, lit, 'rx="7"') +
  rect(-30, -168, 60, 134, '#24402f', 'rx="6" opacity=".5"') + circle(-222, -60, 11, '#ffe9a8') + circle(224, -60, 9, '#d9573f') +
  rect(-214, -40, 428, 22, '#27313a', 'rx="8"') + times(4, (i) => circle(-160 + (i % 2) * 60 + Math.floor(i / 2) * 260, -14, 17, '#39434b')) +
  circle(0, -204, 22, '#f4ead2') + `<text x="0" y="-195" font-family="DejaVu Sans" font-weight="bold" font-size="27" text-anchor="middle" fill="#27313a">${number}</text>`;
const moon = (x, y, r, phase) => {
  const bulge = Math.cos(phase * 2 * Math.PI) * r;
  const [side, sweep] = phase < 0.5 ? [1, bulge > 0 ? 0 : 1] : [0, bulge > 0 ? 1 : 0];
  const lit = `M${x} ${y - r}A${r} ${r} 0 0 ${side} ${x} ${y + r}A${Math.abs(bulge)} ${r} 0 0 ${sweep} ${x} ${y - r}z`;
  const id = `m${shades++}`;
  return glow(x, y, r * 2.2, '#dfe6ff', 0.22) + circle(x, y, r, '#1a2346') + `<clipPath id="${id}"><path d="${lit}"/></clipPath>` + path(lit, '#f3ecd6') +
    `<g clip-path="url(#${id})">${[[-0.3, -0.35, 0.3], [0.25, -0.2, 0.24], [0.1, 0.35, 0.34], [-0.42, 0.22, 0.2], [0.5, 0.3, 0.14], [0.3, -0.6, 0.12]].map(([dx, dy, s]) => circle(x + dx * r, y + dy * r, s * r, '#cfc6b2', 'opacity=".6"')).join('')}</g>`;
};
const arches = (n, width, tall, wall, shade, pointed) =>
  times(n, (i) => {
    const [l, r, top] = [i * width + width * 0.16, (i + 1) * width - width * 0.16, -tall * 0.52];
    const arch = pointed
      ? `M${l} 0V${top}Q${l} ${top - width * 0.38} ${(l + r) / 2} ${top - width * 0.56}Q${r} ${top - width * 0.38} ${r} ${top}V0z`
      : `M${l} 0V${top}A${(r - l) / 2} ${(r - l) / 2} 0 0 1 ${r} ${top}V0z`;
    return rect(i * width, -tall, width + 1, tall, wall) + path(arch, shade);
  });
const books = (w, y, tall) => {
  let [x, row] = [0, ''];
  while (x < w) {
    const [wide, high] = [between(20, 46), between(tall * 0.66, tall * 0.94)];
    row += rect(x, y - high, wide - 2, high, pick(['#8a3f3a', '#c98a4b', '#3f5a5a', '#dcc9a0', '#5a4a6e', '#7a8a5a', '#35506e', '#b5654a']), 'rx="2"') + rect(x, y - high * 0.8, wide - 2, 5, '#f1dfae', 'opacity=".6"');
    x += wide + (random() < 0.06 ? 40 : 0);
  }
  return row + rect(0, y, w, 16, '#5a3d2b') + rect(0, y + 16, w, 10, '#000', 'opacity=".18"');
};
const apple = (color) => circle(-9, 0, 25, color) + circle(11, 1, 24, color) + line('M0-22Q3-36 12-42', '#5b4636', 5) + path('M6-34Q28-52 42-36Q24-24 6-34z', '#6f8f4a') + circle(-17, -9, 6, '#fff', 'opacity=".35"');
const pear = (color) => path('M0-96C26-96 22-56 34-34C60 14 34 52 0 52C-34 52-60 14-34-34C-22-56-26-96 0-96z', color) + line('M0-94Q4-112 16-120', '#5b4636', 6) + oval(-16, 6, 9, 22, '#fff', 'opacity=".25"');
const bowl = (color, soup) => oval(0, 6, 210, 40, '#000', 'opacity=".12"') + path('M-190-90H190Q176 10 60 16H-60Q-176 10-190-90z', color) + oval(0, -90, 190, 42, color) + oval(0, -90, 172, 34, soup) + oval(0, -90, 190, 42, 'none', 'stroke="#fff" stroke-opacity=".35" stroke-width="4"');
const steam = (x, y) => [-60, 0, 60].map((dx) => line(`M${x + dx} ${y}q-26-34 0-68t0-68`, '#fff', 9, 'opacity=".38"')).join('');
const cloth = (w, h, y, base, stripe) => rect(0, y, w, h - y, base) + times(Math.ceil(w / 80), (i) => rect(i * 80, y, 22, h - y, stripe, 'opacity=".5"')) + rect(0, y, w, 9, '#000', 'opacity=".09"');
/** Plum tart from above. `done` is the fraction that is covered with slices; `baked` makes it brown. */
const tart = (r, done, baked) =>
  oval(10, 18, r * 1.06, r * 1.06, '#000', 'opacity=".14"') + times(28, (i) => at(0, 0, 1, circle(0, -r, r * 0.125, baked ? '#c98a45' : '#ecd2a0'), (i * 360) / 28)) +
  circle(0, 0, r, baked ? '#d59c55' : '#f0dab0') + circle(0, 0, r * 0.9, baked ? '#b8763a' : '#e8c98f') +
  [[0.74, 22], [0.46, 14], [0.2, 7]].map(([ring, n]) => times(Math.round(n * done), (i) => at(0, 0, 1, `<g transform="translate(0 ${-r * ring})">${oval(0, 0, r * 0.09, r * 0.155, baked ? '#5e1f3c' : '#8a3a62')}${oval(-r * 0.02, -r * 0.02, r * 0.035, r * 0.1, baked ? '#a4485a' : '#d987a0', 'opacity=".8"')}</g>`, (i * 360) / n))).join('');
const pennants = (w, y) => line(`M0 ${y}Q${w / 2} ${y + 90} ${w} ${y}`, '#fff', 3) + times(14, (i) => at((i + 0.5) * (w / 14), y + 180 * ((i + 0.5) / 14) * (1 - (i + 0.5) / 14), 1, path('M-22 0H22L0 46z', WALLS[i % 7])));
const route = (d, color, width = 18) => line(d, '#fff', width + 8) + line(d, color, width);
const stops = (list, color) => list.map(([x, y]) => circle(x, y, 15, '#fff', `stroke="${color}" stroke-width="7"`)).join('');
const plan = (w, h) => rect(0, 0, w, h, '#efeade') + times(9, (i) => line(`M${-80 + i * 170} ${h}L${40 + i * 170} 0`, '#fff', 13)) + times(6, (i) => line(`M0 ${70 + i * 150}L${w} ${20 + i * 150}`, '#fff', 13)) + path(`M0 ${h}V${h * 0.78}Q${w * 0.3} ${h * 0.68} ${w * 0.55} ${h * 0.8}T${w} ${h * 0.7}V${h}z`, '#a9d0d6') + rect(w * 0.62, h * 0.14, 190, 120, '#c4d8b0', 'rx="26"');
const planet = (x, y, r, color, name) => glow(x, y, r * 5, color, 0.55) + circle(x, y, r, color) + (name ? `<text x="${x}" y="${y + r + 40}" font-family="DejaVu Sans" font-size="26" text-anchor="middle" fill="#cfd8f2">${name}</text>` : '');
const saturn = (x, y, s) => at(x, y, s, oval(0, 0, 210, 44, 'none', 'stroke="#c9ad7c" stroke-width="26" opacity=".75"') + shaded(['#f3dfb0', '#dcb878', '#b98d55'], (paint) => circle(0, 0, 104, paint)) + times(4, (i) => rect(-100, -50 + i * 27, 200, 7, '#a97d48', 'opacity=".22" rx="4"')) + path('M-210 0A210 44 0 0 0 210 0', 'none', 'stroke="#e6cf9f" stroke-width="26"'), -18);
const ground = (w, h, y, color) => rect(0, y, w, h - y, color);
const flame = (w, h, hour, n, lit) => sky(w, h, HOURS[hour]) + stars(w, h * 0.4, 60) + ridge(w, h, h * 0.6, 40, '#1a2448') + at(-20, h * 0.82, h / 760, houses(n, 150, lit, 0.45)) + ground(w, h, h * 0.82, '#171a34');
const L = [1280, 853], P = [960, 1280], S = [960, 960], W = [1280, 720];
const view = (size, draw) => ({ size, draw });
const shore = (size, hourName, draw, horizon = 0.58, sunAt = 0.68) =>
  view(size, (w, h) => {
    const hour = HOURS[hourName];
    const y = h * horizon;
    return sky(w, h, hour) + (hourName === 'night' ? stars(w, y, 160) : '') + (hourName === 'storm' || hourName === 'fog' ? '' : hourName === 'night' ? moon(w * sunAt, y * 0.5, w * 0.04, 0.17) : sun(w * sunAt, y * 0.62, w * 0.042, hour)) +
      ridge(w, h, y - 26, 44, hour.land[0]) + ridge(w, h, y - 4, 22, hour.land[1]) + sea(w, h, y, hour, w * sunAt) + draw(w, h, y, hour);
  });

/** Drawings of the photos by file path. */
export const PICTURES = {
  'harbour-gazette/photos/ferry-dawn.jpg': shore(L, 'dawn', (w, h, y) => at(w * 0.4, y + 120, 1.35, ferry()) + at(w * 0.87, y + 34, 0.5, sail())),
  'harbour-gazette/photos/ferry-quay.jpg': shore(S, 'dawn', (w, h, y, hour) => at(w * 0.56, y + 90, 0.9, ferry()) + ground(w, h, h * 0.84, hour.land[2]) + crowd(w, h * 0.93, 9, 1.25, '#22364c')),
  'harbour-gazette/photos/ferry-deck.jpg': shore(S, 'noon', (w, h, y) => at(w * 0.3, y + 26, 0.42, sail()) + rect(0, h * 0.74, w, h, '#b98a5e') + times(9, (i) => rect(i * 112, h * 0.74, 4, h, '#8d6543')) + times(8, (i) => rect(i * 130 + 24, h * 0.6, 12, h * 0.15, '#f4efe2')) + rect(0, h * 0.59, w, 16, '#f4efe2', 'rx="8"') + at(w * 0.72, h * 0.6, 1, circle(0, 70, 58, 'none', 'stroke="#d9573f" stroke-width="30"') + circle(0, 70, 58, 'none', 'stroke="#fff" stroke-width="30" stroke-dasharray="44 47"'))),
  'harbour-gazette/photos/storm.jpg': shore(L, 'storm', (w, h, y, hour) => clouds(w, y * 0.4, 9, '#2d3944') + at(w * 0.77, y + 36, 1.15, lighthouse(true) + path('M-150 70Q-120 10-60 4Q0-16 62 4Q130 14 170 74z', hour.land[2])) + times(26, () => line(`M${between(0, w)} ${between(y + 20, h)}q46-38 92 0`, '#e6ece4', between(3, 8), 'opacity=".5"')) + times(90, () => line(`M${between(0, w)} ${between(0, h)}l-14 44`, '#dfe8e6', 2, 'opacity=".3"'))),
  'harbour-gazette/photos/lighthouse.jpg': shore(P, 'dusk', (w, h, y, hour) => path(`M${w * 0.3} ${h}L${w * 0.44} ${y + 90}Q${w * 0.7} ${y - 30} ${w} ${y + 30}V${h}z`, hour.land[2]) + at(w * 0.72, y + 36, 1.75, lighthouse(true)), 0.66, 0.24),
  'harbour-gazette/photos/spring-tide.jpg': shore(W, 'dawn', (w, h, y) => at(30, y + 92, 0.82, houses(10, 148, 0.2)) + `<g opacity=".34" transform="matrix(.82 0 0 -.62 30 ${y + 92})">${houses(10, 148, 0.5)}</g>` + times(30, () => line(`M${between(0, w)} ${between(y + 100, h)}h${between(30, 150)}`, '#ffe9bd', 3, 'opacity=".4"')) + at(w * 0.2, y + 150, 0.8, path('M-110 0H110L80 34H-84z', '#7a4638')), 0.5, 0.85),
  'harbour-gazette/photos/breakwater-plan.jpg': view(W, (w, h) => rect(0, 0, w, h, '#cfe3e4') + times(14, (i) => line(`M0 ${40 + i * 54}q80-18 160 0t160 0 160 0 160 0 160 0 160 0 160 0 160 0`, '#fff', 3, 'opacity=".6"')) + path('M0 0H1280V150Q1010 210 860 330T520 380Q240 400 0 300z', '#e9dfc6') + line('M900 300Q1040 440 900 590T600 640', '#41546a', 30) + line('M900 300Q1040 440 900 590T600 640', '#c9503c', 10, 'stroke-dasharray="4 30"') + line('M210 372Q240 520 380 580', '#41546a', 26) + at(386, 560, 0.32, lighthouse()) + at(620, 500, 0.3, ferry()) + times(16, (i) => rect(90 + (i % 8) * 96, 90 + Math.floor(i / 8) * 110, 60, 46, WALLS[i % 7], 'opacity=".8" rx="4"'))),
  'harbour-gazette/photos/fog.jpg': shore(L, 'fog', (w, h, y) => at(w * 0.3, y + 60, 0.85, `<g opacity=".42">${ferry('#dfe2da', '#a8907f')}</g>`) + at(w * 0.72, y + 110, 1, `<g opacity=".7">${sail('#f4f1e6')}</g>`) + rect(0, y - 60, w, 130, '#ece8da', 'opacity=".55"'), 0.55),
  'harbour-gazette/photos/boats.jpg': shore(S, 'noon', (w, h, y) => times(7, (i) => at(between(80, w - 80), y + 30 + i * 48, 0.35 + i * 0.13, sail(pick(['#fbf6e9', '#e8c07d', '#d9775c', '#f4efe2'])))), 0.45),
  'harbour-gazette/photos/lantern-01.jpg': view(L, (w, h) => flame(w, h, 'dusk', 8, 0.7) + garland(0, 200, w, 120, 70, 11, 27) + garland(0, 60, w, 260, 50, 9, 21) + crowd(w, h * 0.97, 15, 1.2, '#0d1026', 0.6)),
  'harbour-gazette/photos/lantern-02.jpg': view(P, (w, h) => sky(w, h, HOURS.night) + stars(w, h * 0.8, 150) + times(22, () => { const s = between(14, 50); return lantern(between(60, w - 60), between(80, h * 0.72), s, pick(GLOWS)); }) + ridge(w, h, h * 0.86, 40, '#0c142e') + crowd(w, h, 8, 1.5, '#060a1c')),
  'harbour-gazette/photos/lantern-03.jpg': shore(L, 'night', (w, h, y) => times(34, () => { const t = random() ** 1.6; const [x, ly, r] = [between(0, w), y + 20 + t * (h - y - 60), 6 + t * 22]; return oval(x, ly + r * 2, r * 0.7, r * 1.5, '#ffb347', 'opacity=".22"') + lantern(x, ly, r, pick(GLOWS)); })),
  'harbour-gazette/photos/lantern-04.jpg': view(S, (w, h) => sky(w, h, HOURS.dusk) + glow(w / 2, h * 0.47, 420, '#ffb347', 0.8) + lantern(w / 2, h * 0.46, 170, '#ff9a4a') + times(5, (i) => line(`M${w / 2 - 140 + i * 6} ${h * 0.46 - 70 + i * 36}h${280 - i * 12}`, '#b5522d', 4, 'opacity=".5"')) + line(`M${w / 2} 0V${h * 0.26}`, '#20203a', 5)),
  'harbour-gazette/photos/lantern-05.jpg': view(P, (w, h) => flame(w, h, 'dusk', 7, 0.9) + times(6, (i) => garland(i % 2 ? -30 : 0, 120 + i * 105, w + 20, 90 + i * 112, 40, 8 - (i % 2), 24 - i * 1.5)) + crowd(w, h * 0.96, 8, 1.6, '#0b0e22', 0.5)),
  'harbour-gazette/photos/lantern-06.jpg': shore(L, 'dusk', (w, h, y) => at(w * 0.42, y + 110, 1.3, ferry('#efe2cf')) + garland(w * 0.22, y - 30, w * 0.62, y - 34, 22, 12, 11) + times(12, () => lantern(between(0, w), between(y + 150, h - 20), between(8, 17), pick(GLOWS)))),
  'harbour-gazette/photos/lantern-07.jpg': view(L, (w, h) => sky(w, h, HOURS.dusk) + ground(w, h, h * 0.66, '#2a2747') + line(`M0 ${h * 0.765}H${w}`, '#4a4568', 8) + at(w / 2, h * 0.76, 1.5, tram('#2f7d4f', '5', '#ffe0a0')) + garland(0, 70, w, 70, 60, 14, 20) + crowd(w, h * 0.98, 12, 1.15, '#12122c', 0.5)),
  'harbour-gazette/photos/lantern-08.jpg': view(S, (w, h) => rect(0, 0, w, h, '#2b2140') + glow(w / 2, h * 0.3, 560, '#ffb347', 0.45) + times(4, (r) => times(5, (i) => lantern(110 + i * 185 + (r % 2) * 40 - 20, 150 + r * 200, 52, GLOWS[(i + r * 2) % 6]))) + rect(0, h * 0.93, w, h, '#5b3a2b')),
  'harbour-gazette/photos/lantern-09.jpg': view(L, (w, h) => sky(w, h, HOURS.night) + stars(w, h * 0.6, 120) + hills(w, h, h * 0.62, HOURS.night) + times(60, (i) => { const t = i / 60; return circle(w * (0.08 + 0.8 * t) + 30 * Math.sin(t * 20), h * (0.97 - 0.36 * t) + 24 * Math.sin(t * 9), 9 - t * 6, pick(GLOWS)) + glow(w * (0.08 + 0.8 * t) + 30 * Math.sin(t * 20), h * (0.97 - 0.36 * t) + 24 * Math.sin(t * 9), 30 - t * 18, '#ffb347', 0.4); }) + at(w * 0.9, h * 0.62, 0.5, lighthouse(true))),
  'harbour-gazette/photos/lantern-10.jpg': shore(L, 'dawn', (w, h, y, hour) => ground(w, h, h * 0.82, hour.land[2]) + times(9, (i) => at(70 + i * 145 + between(-20, 20), h * 0.9 + between(-6, 10), 1, oval(0, 0, 34, 26, pick(GLOWS), 'opacity=".9"') + rect(-14, -32, 28, 8, '#3a2a2a'), between(-50, 50)))),
  'orchard-university/photos/arcade.jpg': view(L, (w, h) => sky(w, h, HOURS.autumn) + clouds(w, 130, 4, '#fff') + at(0, h * 0.83, 1, arches(7, 183, 420, '#d8b88c', '#7a5b4c')) + rect(0, h * 0.83 - 446, w, 30, '#a9744a') + times(7, (i) => rect(60 + i * 183, h * 0.83 - 396, 62, 70, '#5a6b78', 'rx="31"')) + ground(w, h, h * 0.83, '#93a35f') + times(30, () => oval(between(0, w), between(h * 0.85, h), 9, 5, pick(['#d98f3c', '#c4674f', '#e8c07d'])))),
  'orchard-university/photos/rows.jpg': view(L, (w, h) => sky(w, h, HOURS.autumn) + hills(w, h, h * 0.42, HOURS.autumn, 30) + ground(w, h, h * 0.54, '#a5a85a') + times(4, (r) => times(5 + 2 - r, (i) => at((i + 0.5) * (w / (7 - r)) + between(-9, 9), h * (0.6 + r * 0.13), 0.55 + r * 0.32, tree(pick(['#c4762f', '#d99a3a', '#8f9a3f', '#b5522d'])))))),
  'orchard-university/photos/apples.jpg': view(S, (w, h) => rect(0, 0, w, h, '#e9d9b4') + times(30, (i) => at(100 + (i % 5) * 190 + (Math.floor(i / 5) % 2) * 60 - 20, 100 + Math.floor(i / 5) * 165, 2.6, oval(2, 24, 30, 9, '#000', 'opacity=".12"') + apple(pick(['#c23b3b', '#d95f3f', '#a9bf4f', '#e0a63c'])), between(-14, 14)))),
  'orchard-university/photos/ladder.jpg': view(P, (w, h) => sky(w, h, HOURS.autumn) + ridge(w, h, h * 0.72, 40, '#b99a52') + ground(w, h, h * 0.8, '#8f9a4f') + at(w * 0.56, h * 0.86, 5.4, tree('#b9722f')) + times(26, (i) => at(w * (0.56 + 0.25 * Math.sqrt(i / 26) * Math.cos(i * 2.4)), h * (0.37 + 0.17 * Math.sqrt(i / 26) * Math.sin(i * 2.4)), between(0.6, 0.9), apple('#c23b3b'))) + line(`M${w * 0.2} ${h * 0.93}L${w * 0.42} ${h * 0.36}M${w * 0.33} ${h * 0.95}L${w * 0.5} ${h * 0.37}`, '#e8d3a2', 14) + times(8, (i) => line(`M${w * (0.225 + i * 0.026)} ${h * (0.87 - i * 0.066)}L${w * (0.348 + i * 0.0205)} ${h * (0.885 - i * 0.066)}`, '#e8d3a2', 11))),
  'orchard-university/photos/press.jpg': view(S, (w, h) => rect(0, 0, w, h, '#d9c39a') + ground(w, h, h * 0.78, '#8a6a4a') + times(9, (i) => rect(w * 0.26 + i * 52, h * 0.4, 44, h * 0.38, i % 2 ? '#a9744a' : '#b98355', 'rx="5"')) + rect(w * 0.24, h * 0.46, w * 0.53, 18, '#41546a') + rect(w * 0.24, h * 0.68, w * 0.53, 18, '#41546a') + rect(w * 0.48, h * 0.1, 36, h * 0.3, '#54606a') + rect(w * 0.3, h * 0.09, w * 0.4, 24, '#54606a', 'rx="12"') + times(7, (i) => at(w * 0.32 + i * 58, h * 0.385, 1.2, apple(pick(['#c23b3b', '#d95f3f', '#a9bf4f'])))) + path(`M${w * 0.7} ${h * 0.73}q60 0 60 90`, 'none', 'stroke="#d99a3a" stroke-width="14"') + rect(w * 0.72, h * 0.82, 96, 118, '#e9f0ee', 'rx="8" opacity=".9"') + rect(w * 0.73, h * 0.87, 78, 70, '#d99a3a', 'rx="6"')),
  'orchard-university/photos/library.jpg': view(P, (w, h) => rect(0, 0, w, h, '#3d2a22') + times(6, (i) => books(w, 190 + i * 214, 178)) + glow(w * 0.7, h * 0.3, 560, '#ffd98a', 0.35)),
  'orchard-university/photos/picnic.jpg': view(L, (w, h) => sky(w, h, HOURS.autumn) + hills(w, h, h * 0.4, HOURS.autumn, 34) + ground(w, h, h * 0.56, '#9aa653') + pennants(w, h * 0.1) + at(w * 0.16, h * 0.72, 2, tree('#c4762f')) + at(w * 0.86, h * 0.7, 1.7, tree('#d99a3a')) + path(`M${w * 0.3} ${h * 0.94}L${w * 0.38} ${h * 0.72}H${w * 0.68}L${w * 0.78} ${h * 0.94}z`, '#f0e6d2') + times(4, (i) => path(`M${w * (0.37 + i * 0.1)} ${h * 0.94}L${w * (0.42 + i * 0.075)} ${h * 0.72}h26l16 ${h * 0.22}z`, '#c4674f', 'opacity=".55"')) + at(w * 0.5, h * 0.85, 0.34, bowl('#7f9db0', '#e0a63c')) + times(6, (i) => at(w * (0.4 + i * 0.052), h * (0.88 + (i % 2) * 0.03), 0.6, apple(pick(['#c23b3b', '#a9bf4f', '#d95f3f'])))) + at(w * 0.36, h * 0.8, 1.6, person('#44566a')) + at(w * 0.74, h * 0.8, 1.6, person('#8d5540'))),
  'orchard-university/photos/moonrise.jpg': view(L, (w, h) => sky(w, h, HOURS.dusk) + moon(w * 0.62, h * 0.34, 96, 0.5) + hills(w, h, h * 0.6, HOURS.dusk) + times(9, (i) => at(60 + i * 150, h * 0.93 + between(-14, 10), between(1.1, 1.6), tree('#1d1b36', '#1d1b36')))),
  'city-observer/photos/harbour-street.jpg': view(L, (w, h) => sky(w, h, HOURS.noon) + at(-10, h * 0.74, 1.25, houses(9, 118, 0.1)) + ground(w, h, h * 0.74, '#b9a98a') + path(`M${w * 0.32} ${h}L${w * 0.47} ${h * 0.74}H${w * 0.55}L${w * 0.76} ${h}z`, '#8f8474') + times(5, (i) => at(170 + i * 235, h * 0.9, 1, path('M-34 0L-12-84H12L34 0z', '#d9673f') + path('M-24-38L-18-60H18L24-38z', '#fff') + rect(-44, -6, 88, 14, '#b5522d', 'rx="5"')))),
  'city-observer/photos/souk-1.jpg': view(L, (w, h) => rect(0, 0, w, h, '#efd9b0') + at(0, h * 0.8, 1, arches(5, 256, 600, '#d9a86c', '#7a4a38', true)) + times(5, (i) => times(6, (k) => path(`M${i * 256 + 16 + k * 38} ${h * 0.36}h38l6 92h-42z`, k % 2 ? '#f4ead2' : WALLS[(i * 2) % 7]))) + ground(w, h, h * 0.8, '#c9ad84') + times(5, (i) => times(9, (k) => circle(i * 256 + 66 + (k % 5) * 32, h * 0.8 - 22 - Math.floor(k / 5) * 30, 19, ['#d95f3f', '#e0a63c', '#8f9a3f', '#8a3a62', '#c9503c'][i])))),
  'city-observer/photos/souk-2.jpg': view(S, (w, h) => rect(0, 0, w, h, '#6b4436') + times(9, (i) => at(170 + (i % 3) * 310, 190 + Math.floor(i / 3) * 300, 1, circle(6, 12, 140, '#000', 'opacity=".2"') + circle(0, 0, 138, '#b98a5e') + circle(0, 0, 122, '#8d6543') + path('M-112 30Q-40-110 0-112Q48-104 112 30Q60 112 0 114Q-64 110-112 30z', ['#d9a13a', '#b5432d', '#7a8a3f', '#e5c98f', '#8a3a2f', '#c4762f', '#5f6b3a', '#e8dcc0', '#a85a3a'][i]) + circle(-20, -40, 34, '#fff', 'opacity=".13"')))),
  'city-observer/photos/souk-3.jpg': view(S, (w, h) => rect(0, 0, w, h, '#2c2140') + at(0, h, 1, arches(3, 320, h, '#4a3357', '#1a1430', true)) + times(11, (i) => { const [x, y] = [90 + (i % 4) * 260 + (i > 3 ? 60 : 0), 150 + Math.floor(i / 4) * 210]; return line(`M${x} 0V${y}`, '#8d6543', 3) + lantern(x, y + 50, 44, GLOWS[i % 6]); })),
  'city-observer/photos/garden.jpg': view(P, (w, h) => sky(w, h, HOURS.noon) + clouds(w, 190, 3, '#fff') + ridge(w, h, h * 0.5, 40, '#7fae8f') + ground(w, h, h * 0.6, '#7f9f5f') + path(`M${w * 0.3} ${h}Q${w * 0.46} ${h * 0.78} ${w * 0.49} ${h * 0.6}H${w * 0.53}Q${w * 0.58} ${h * 0.8} ${w * 0.78} ${h}z`, '#e5d6ae') + times(4, (i) => at(w * 0.33 - i * 78, h * (0.66 + i * 0.09), 1 + i * 0.5, tree('#4f8a5a')) + at(w * 0.68 + i * 84, h * (0.66 + i * 0.09), 1 + i * 0.5, tree('#63a06a'))) + times(40, () => circle(between(0, w), between(h * 0.86, h), between(4, 9), pick(['#e8c07d', '#f2a0a8', '#fff', '#d95f3f'])))),
  'tram-5/photos/tram-morning.jpg': view(L, (w, h) => sky(w, h, HOURS.dawn) + at(0, h * 0.66, 1.1, houses(9, 130, 0.3)) + ground(w, h, h * 0.66, '#9c948c') + line(`M0 ${h * 0.28}H${w}`, '#39434b', 4) + at(w * 0.48, h * 0.84, 1.75, tram()) + line(`M0 ${h * 0.85}H${w}M0 ${h * 0.89}H${w}`, '#5f5a58', 8)),
  'tram-5/photos/tram-evening.jpg': view(L, (w, h) => flame(w, h, 'night', 8, 0.75) + glow(w * 0.5, h * 0.7, 620, '#ffd98a', 0.35) + at(w * 0.54, h * 0.88, 1.75, tram('#2f7d4f', '5', '#ffe3a6')) + line(`M0 ${h * 0.89}H${w}M0 ${h * 0.93}H${w}`, '#44486a', 8) + line(`M0 ${h * 0.32}H${w}`, '#0c142e', 4)),
  'tram-5/photos/tram-lanterns.jpg': view(L, (w, h) => flame(w, h, 'dusk', 8, 0.8) + garland(0, 90, w, 150, 70, 12, 24) + at(w * 0.5, h * 0.9, 1.5, tram('#2f7d4f', '5', '#ffe3a6')) + garland(w * 0.18, h * 0.56, w * 0.82, h * 0.56, -14, 14, 10) + crowd(w, h * 1.02, 13, 1.1, '#0d1026', 0.7)),
  'tram-5/photos/route.jpg': view(W, (w, h) => plan(w, h) + route('M90 560L300 470Q420 420 470 320T700 190L1180 130', '#2f7d4f') + stops([[90, 560], [300, 470], [470, 320], [700, 190], [950, 159], [1180, 130]], '#2f7d4f')),
  'night-sky/photos/phase-1.jpg': view(S, (w, h) => sky(w, h, HOURS.night) + stars(w, h, 110) + moon(w / 2, h / 2, 250, 0.13)),
  'night-sky/photos/phase-2.jpg': view(S, (w, h) => sky(w, h, HOURS.night) + stars(w, h, 110) + moon(w / 2, h / 2, 250, 0.17)),
  'night-sky/photos/phase-3.jpg': view(S, (w, h) => sky(w, h, HOURS.night) + stars(w, h, 110) + moon(w / 2, h / 2, 250, 0.22)),
  'night-sky/photos/phase-4.jpg': view(S, (w, h) => sky(w, h, HOURS.night) + stars(w, h, 110) + moon(w / 2, h / 2, 250, 0.26)),
  'night-sky/photos/phase-5.jpg': view(S, (w, h) => sky(w, h, HOURS.night) + stars(w, h, 110) + moon(w / 2, h / 2, 250, 0.34)),
  'night-sky/photos/saturn.jpg': view(L, (w, h) => rect(0, 0, w, h, '#090d20') + stars(w, h, 240) + glow(w * 0.54, h * 0.5, 560, '#d9b878', 0.28) + saturn(w * 0.54, h * 0.5, 1.55) + circle(w * 0.18, h * 0.68, 8, '#efe6d0') + circle(w * 0.87, h * 0.3, 5, '#efe6d0')),
  'night-sky/photos/milky-way.jpg': view(P, (w, h) => sky(w, h, HOURS.night) + times(46, (i) => glow(w * (0.2 + i * 0.0135) + between(-70, 70), h * (0.98 - i * 0.022), between(60, 150), pick(['#8fa0d8', '#c9b8d8', '#e0c9b0']), 0.15)) + times(520, () => { const t = random(); return circle(w * (0.2 + 0.62 * t) + (random() + random() - 1) * 210, h * (0.98 - t), between(0.5, 2), '#fff', `opacity="${between(0.2, 0.9)}"`); }) + stars(w, h, 240) + ridge(w, h, h * 0.88, 50, '#080d20') + times(6, (i) => at(40 + i * 180 + between(-30, 30), h * 0.93, between(0.9, 1.6), pine('#050816')))),
  'night-sky/photos/mars-jupiter.jpg': view(W, (w, h) => sky(w, h, HOURS.night) + stars(w, h * 0.8, 190) + planet(w * 0.46, h * 0.36, 11, '#fff1d0', 'Jupiter') + planet(w * 0.53, h * 0.28, 7, '#ff9d70', 'Mars') + planet(w * 0.7, h * 0.6, 4, '#cfe0ff', 'Regulus') + ridge(w, h, h * 0.85, 50, '#080d20') + at(w * 0.14, h * 0.87, 1, path('M-90 0V-70H90V0zM-90-70A90 86 0 0 1 90-70z', '#050816') + path('M14-156L40-150L24-66H0z', '#16244c'))),
  'kitchen-notes/photos/tart-1.jpg': view(S, (w, h) => cloth(w, h, 0, '#dfe6e2', '#b9cdc9') + at(w * 0.5, h * 0.5, 1, times(9, (i) => at(-270 + (i % 3) * 265 + between(-24, 24), -250 + Math.floor(i / 3) * 255, 3, oval(3, 22, 32, 10, '#000', 'opacity=".13"') + oval(0, 0, 30, 33, pick(['#5a2a55', '#6e3464', '#4a2450'])) + oval(-10, -10, 8, 13, '#fff', 'opacity=".25"') + line('M2-32Q4-6-2 28', '#3a1a40', 2.4))))),
  'kitchen-notes/photos/tart-2.jpg': view(S, (w, h) => cloth(w, h, 0, '#dfe6e2', '#b9cdc9') + at(w / 2, h / 2, 1, tart(370, 0, false))),
  'kitchen-notes/photos/tart-3.jpg': view(S, (w, h) => cloth(w, h, 0, '#dfe6e2', '#b9cdc9') + at(w / 2, h / 2, 1, tart(370, 0.66, false))),
  'kitchen-notes/photos/tart-4.jpg': view(S, (w, h) => cloth(w, h, 0, '#dfe6e2', '#b9cdc9') + at(w / 2, h / 2, 1, tart(370, 1, true))),
  'kitchen-notes/photos/soup.jpg': view(L, (w, h) => rect(0, 0, w, h, '#e9c9a0') + circle(w * 0.76, h * 0.3, 190, '#f4ddb8') + cloth(w, h, h * 0.68, '#a9503f', '#c4674f') + at(w * 0.44, h * 0.82, 1.6, bowl('#44566a', '#d98a2f')) + times(12, () => oval(w * 0.44 + between(-200, 200), h * 0.65 + between(-28, 28), 9, 4, pick(['#8f9a3f', '#f4e0b0']))) + steam(w * 0.44, h * 0.54) + at(w * 0.82, h * 0.8, 1.5, pear('#b9b04a')) + at(w * 0.91, h * 0.83, 1.2, pear('#d9a13a'), 16)),
  'kitchen-notes/photos/pears.jpg': view(P, (w, h) => rect(0, 0, w, h, '#c9d3c4') + rect(0, 0, w * 0.5, h * 0.7, '#d8e0d2') + cloth(w, h, h * 0.7, '#efe6d2', '#b3265a') + at(w * 0.34, h * 0.7, 2.9, pear('#c4b24a')) + at(w * 0.66, h * 0.72, 2.5, pear('#9fae4f'), 7) + at(w * 0.5, h * 0.8, 2.2, pear('#d99a3a'), -12)),
  'transit-desk/photos/lift-before.jpg': view(S, (w, h) => rect(0, 0, w, h, '#cfd6d6') + times(8, (r) => times(7, (i) => rect(i * 150 - (r % 2) * 75, r * 122, 144, 116, '#dfe5e4'))) + rect(w * 0.28, h * 0.16, w * 0.44, h * 0.74, '#54606a', 'rx="10"') + rect(w * 0.31, h * 0.19, w * 0.185, h * 0.71, '#8b979e') + rect(w * 0.505, h * 0.19, w * 0.185, h * 0.71, '#98a4aa') + line(`M${w * 0.22} ${h * 0.48}L${w * 0.78} ${h * 0.72}M${w * 0.22} ${h * 0.72}L${w * 0.78} ${h * 0.48}`, '#d9673f', 26) + ground(w, h, h * 0.9, '#9aa3a3')),
  'transit-desk/photos/lift-after.jpg': view(S, (w, h) => rect(0, 0, w, h, '#d5e2de') + times(8, (r) => times(7, (i) => rect(i * 150 - (r % 2) * 75, r * 122, 144, 116, '#e6efec'))) + rect(w * 0.28, h * 0.16, w * 0.44, h * 0.74, '#0f766e', 'rx="10"') + rect(w * 0.31, h * 0.19, w * 0.38, h * 0.71, '#fff3cf') + rect(w * 0.31, h * 0.19, w * 0.05, h * 0.71, '#98a4aa') + rect(w * 0.64, h * 0.19, w * 0.05, h * 0.71, '#98a4aa') + rect(w * 0.36, h * 0.58, w * 0.28, 14, '#b98a5e', 'rx="7"') + at(w * 0.5, h * 0.9, 2.4, person('#35506e')) + circle(w * 0.8, h * 0.52, 22, '#0f766e') + path(`M${w * 0.8 - 10} ${h * 0.52 + 6}l10-16 10 16z`, '#fff') + ground(w, h, h * 0.9, '#a9b5b0')),
  'transit-desk/photos/detour.jpg': view(W, (w, h) => plan(w, h) + route('M60 250L460 215', '#0f766e') + line('M460 215L860 180', '#b9b2a2', 16, 'stroke-dasharray="2 30"') + route('M860 180L1230 148', '#0f766e') + route('M460 215L500 360L890 326L860 180', '#d9673f', 14) + stops([[60, 250], [460, 215], [860, 180], [1230, 148]], '#0f766e') + at(660, 198, 1, circle(0, 0, 34, '#c9503c') + rect(-20, -6, 40, 12, '#fff'))),
  'cine-lanterne/photos/affiche-1.jpg': view(P, (w, h) => rect(0, 0, w, h, '#f0e2c4') + times(7, (i) => circle(w / 2, h * 0.42, 400 - i * 52, ['#d9573f', '#e07a4a', '#e89a58', '#f0b96a', '#f4cf86', '#f8e2ac', '#fff4d6'][i])) + rect(0, h * 0.6, w, h, '#1d3a54') + times(9, (i) => line(`M0 ${h * 0.64 + i * 50}q60-26 120 0t120 0 120 0 120 0 120 0 120 0 120 0 120 0`, '#3d6b86', 8)) + at(w / 2, h * 0.64, 2, sail('#1d2a3c'))),
  'cine-lanterne/photos/affiche-2.jpg': view(P, (w, h) => rect(0, 0, w, h, '#1f3b3a') + times(6, (i) => rect(90 + i * 130, 240 + Math.abs(i - 2.5) * 90, 110, h, ['#d9a13a', '#c9503c', '#e5ddc8', '#7fae8f', '#d9775c', '#8fb4c0'][i])) + times(34, (i) => rect(112 + (i % 6) * 130, 560 + Math.floor(i / 6) * 108, 66, 54, '#1f3b3a', 'rx="33"')) + moon(w * 0.76, 190, 84, 0.16)),
  'cine-lanterne/photos/salle.jpg': view(L, (w, h) => rect(0, 0, w, h, '#3a1420') + path(`M${w * 0.2} ${h * 0.14}H${w * 0.8}V${h * 0.6}H${w * 0.2}z`, '#f6efdc') + glow(w / 2, h * 0.36, 620, '#fff1cf', 0.3) + times(7, (i) => path(`M${i * 36} 0h34l-8 ${h * 0.72}h-30zM${w - i * 36 - 36} 0h36l4 ${h * 0.72}h-30z`, i % 2 ? '#8a2438' : '#a8324a')) + rect(0, 0, w, h * 0.1, '#a8324a') + times(16, (i) => path(`M${i * 80} ${h * 0.1}h80a40 46 0 0 1-80 0z`, i % 2 ? '#8a2438' : '#a8324a')) + times(4, (r) => times(12, (i) => rect(i * 116 - (r % 2) * 58, h * 0.66 + r * 78, 100, 96, ['#5a1a2a', '#4d1624', '#40111d', '#330d17'][r], 'rx="26"')))),
};
const badge = (name, [top, bottom], draw) => [`${name}/photos/channel.jpg`, view([640, 640], (w, h) => shaded([top, bottom], (paint) => rect(0, 0, w, h, paint)) + draw(w, h))];
Object.assign(PICTURES, Object.fromEntries([
  badge('harbour-gazette', ['#4f9db5', '#17566d'], (w, h) => sun(w * 0.7, h * 0.3, 44, HOURS.noon) + rect(0, h * 0.72, w, h, '#0f4154') + at(w * 0.46, h * 0.72, 2.6, sail())),
  badge('orchard-university', ['#9a72c8', '#5d3590'], (w, h) => at(w / 2, h * 0.56, 7.4, apple('#f4d9e0'))),
  badge('city-observer', ['#d98a54', '#9c431f'], (w, h) => circle(w * 0.5, h * 0.36, 110, '#ffe0a8') + at(40, h * 0.9, 1, arches(4, 140, 300, '#f6e3c0', '#9c431f', true))),
  badge('tram-5', ['#5aa878', '#215c3a'], (w, h) => at(w / 2, h * 0.68, 0.9, tram('#f4ead2', '5', '#215c3a'))),
  badge('night-sky', ['#4a5f8a', '#141c36'], (w, h) => stars(w, h, 60) + moon(w * 0.5, h * 0.48, 170, 0.17)),
  badge('kitchen-notes', ['#d9567f', '#8f1c48'], (w, h) => at(w / 2, h * 0.72, 1.24, bowl('#fff3e6', '#f2b56a')) + steam(w / 2, h * 0.44)),
  badge('transit-desk', ['#2aa79b', '#0a5650'], (w, h) => route('M90 470L250 470Q320 470 320 380V260Q320 170 400 170H560', '#0a5650', 36) + stops([[120, 470], [320, 320], [520, 170]], '#0a5650').replaceAll('r="15"', 'r="34"')),
  badge('cine-lanterne', ['#e0a63c', '#a85f1c'], (w, h) => path(`M${w * 0.3} ${h * 0.5}L${w} ${h * 0.12}V${h * 0.88}z`, '#fff3cf', 'opacity=".6"') + rect(w * 0.1, h * 0.36, w * 0.3, h * 0.28, '#3a2416', 'rx="24"') + circle(w * 0.18, h * 0.28, 62, '#3a2416') + circle(w * 0.35, h * 0.26, 76, '#3a2416')),
]));
const sticker = (name, draw) => [name, view([512, 512], draw)];
Object.assign(PICTURES, Object.fromEntries([
  sticker('kitchen-notes/stickers/sticker.webp', (w, h) => steam(w / 2, 200) + at(w / 2, 400, 1.1, bowl('#b3265a', '#f2b56a')) + circle(206, 380, 11, '#fff') + circle(306, 380, 11, '#fff') + line('M226 400q30 26 60 0', '#fff', 9)),
  sticker('harbour-gazette/stickers/sticker.webp', (w, h) => at(w / 2 - 4, 330, 1.15, ferry())),
  sticker('tram-5/stickers/sticker.webp', (w, h) => at(w / 2, 390, 0.98, tram())),
]));

const here = import.meta.dirname ?? dirname(new URL(import.meta.url).pathname);
const wanted = process.argv.slice(2);
for (const [name, { size, draw }] of Object.entries(PICTURES)) {
  if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
  random = seeded([...name].reduce((sum, letter) => Math.imul(sum, 31) + letter.codePointAt(0), 7));
  const [w, h] = size;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${draw(w, h)}</svg>`;
  const image = sharp(Buffer.from(svg)).resize(w, h);
  await mkdir(dirname(join(here, name)), { recursive: true });
  await (name.endsWith('.webp') ? image.webp({ quality: 80 }) : image.flatten().jpeg({ quality: 72, mozjpeg: true })).toFile(join(here, name));
}
