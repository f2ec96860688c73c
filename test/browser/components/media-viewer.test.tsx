// Media viewer: zoom, keyboard and touch gestures.

import { expect, waitUntil } from '@open-wc/testing';
import axe from 'axe-core';
import '../../../elements/changer-channel.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import { clampTransform, rubberBand, zoomAt } from '../../../src/components/media-viewer/zoom-math.ts';
import { loaded, post, posts, type ReadingServices, readingServices, stubList } from '../features/reading-services.ts';

/** Returns the URL of an image of this size, at the origin of the tests. */
const drawing = (width: number, height: number): string =>
  URL.createObjectURL(
    new Blob([`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="9" height="9"/></svg>`], {
      type: 'image/svg+xml',
    }),
  );
const photo = (messageId: number, width = 1600, height = 1000, more: Partial<Media> = {}): Media => ({
  type: 'photo',
  messageId,
  src: drawing(width, height),
  width,
  height,
  ...more,
});
const ALBUM: Partial<Post> = {
  text: `${'The whole of a long caption. '.repeat(30)}Its end #tide`,
  entities: [{ type: 'hashtag', offset: 878, length: 5 }],
  media: [photo(40), photo(41, 900, 1600), photo(42), photo(43), photo(44)],
};

let mounted: ChangerElement | null = null;
before(loadAllChunks);
afterEach(unmount);

/** Removes the page, and waits until the history is the same as before a viewer was open. */
async function unmount(): Promise<void> {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
  await waitUntil(isPlain);
}
const isPlain = (): boolean => Reflect.get(Object(history.state), 'changerOver') !== true;

interface OpenViewer {
  readonly root: ShadowRoot;
  readonly services: ReadingServices;
  readonly dialog: HTMLDialogElement;
  readonly viewport: HTMLElement;
  readonly tile: HTMLElement;
}

/** Opens the viewer at a picture of a post, as Enter or a click on its tile does. */
async function open(fields: Partial<Post> = ALBUM, index = 0, lang = 'en', services = make(fields)): Promise<OpenViewer> {
  const element = document.createElement('changer-channel');
  mounted = element;
  element.services = services;
  element.lang = lang;
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  const root = element.shadowRoot;
  if (root === null) throw new Error('no shadow root');
  await waitUntil(() => root.querySelectorAll('.tile a').length > index);
  const tile = root.querySelectorAll<HTMLElement>('.tile a')[index];
  if (tile === undefined) throw new Error('no tile');
  tile.focus();
  tile.click();
  await waitUntil(() => root.querySelector('dialog.viewer[open]'));
  const dialog = root.querySelector<HTMLDialogElement>('dialog.viewer');
  const viewport = root.querySelector<HTMLElement>('.viewer-stage');
  if (dialog === null || viewport === null) throw new Error('no viewer');
  for (const animation of dialog.getAnimations()) animation.finish();
  return { root, services, dialog, viewport, tile };
}

const make = (fields: Partial<Post>): ReadingServices => readingServices(stubList(loaded([post(40, fields), ...posts(39, 20)])));

const count = ({ dialog }: OpenViewer): string | null | undefined => dialog.querySelector('[aria-live]')?.textContent;
const named = ({ dialog }: OpenViewer, name: string): HTMLElement | null => dialog.querySelector(`[aria-label="${name}"]`);
const press = ({ root, dialog }: OpenViewer, key: string): void => {
  (root.activeElement ?? dialog).dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
};
const picture = ({ dialog }: OpenViewer): HTMLElement => {
  const found = dialog.querySelector<HTMLElement>('.here > .viewer-picture');
  if (found === null) throw new Error('no picture');
  return found;
};
/** Returns the scale at which the picture is rendered, or to which it is animated. */
const scale = (viewer: OpenViewer): number => new DOMMatrix(picture(viewer).style.transform || 'none').a;

type Point = readonly [x: number, y: number];

/** Touches the viewport with one or more fingers, each along its path. They are lifted together. */
function touch({ viewport }: OpenViewer, paths: readonly (readonly Point[])[], pointerType = 'touch', up = 'pointerup'): void {
  const dispatch = (type: string, pointerId: number, [clientX, clientY]: Point) => {
    const target = viewport.getRootNode() instanceof ShadowRoot ? (viewport.querySelector('.here > *') ?? viewport) : viewport;
    const event = { pointerId, pointerType, clientX, clientY, isPrimary: pointerId === 1, bubbles: true, composed: true };
    target.dispatchEvent(new PointerEvent(type, { ...event, button: type === 'pointermove' ? -1 : 0 }));
  };
  const steps = Math.max(...paths.map((path) => path.length));
  for (const [finger, [start]] of paths.entries()) if (start !== undefined) dispatch('pointerdown', finger + 1, start);
  for (let step = 1; step < steps; step++)
    for (const [finger, path] of paths.entries()) {
      const point = path[step];
      if (point !== undefined) dispatch('pointermove', finger + 1, point);
    }
  for (const [finger, path] of paths.entries()) {
    const end = path.at(-1);
    if (end !== undefined) dispatch(up, finger + 1, end);
  }
}

/** Returns a path in a few steps. */
const path = ([x, y]: Point, [dx, dy]: Point): Point[] =>
  [0, 0.1, 0.4, 0.7, 1].map((fraction) => [x + dx * fraction, y + dy * fraction]);
const centre = ({ viewport }: OpenViewer): Point => [viewport.clientWidth / 2, viewport.clientHeight / 2];

describe('zoom', () => {
  it('keeps the point under the pointer in place', () => {
    const view = zoomAt({ scale: 1, x: 10, y: 0 }, 2, { x: 50, y: -20 });
    // The point was 40 px from the centre of the picture, and is twice as far now.
    expect(view).to.deep.equal({ scale: 2, x: -30, y: 20 });
  });
  it('keeps the edges of the picture outside the viewport when the gesture ends', () => {
    const [wide, viewport] = [
      { width: 400, height: 200 },
      { width: 400, height: 800 },
    ];
    expect(clampTransform({ scale: 2, x: 900, y: 900 }, wide, viewport, 3)).to.deep.equal({ scale: 2, x: 200, y: 0 });
    expect(clampTransform({ scale: 0.5, x: 9, y: 9 }, wide, viewport, 3)).to.deep.equal({ scale: 1, x: 0, y: 0 });
    expect(clampTransform({ scale: 9, x: 0, y: 0 }, wide, viewport, 3).scale).to.equal(3);
  });
  it('resists more and more beyond a limit', () => {
    expect(rubberBand(5, 0, 10)).to.equal(5);
    expect(rubberBand(30, 0, 10)).to.equal(17);
  });
});

describe('the media viewer with the keyboard', () => {
  it('opens with the focus inside, stops the page from scrolling, and restores the focus', async () => {
    const viewer = await open(ALBUM, 2);
    expect(viewer.root.activeElement?.getAttribute('aria-label')).to.equal('Close');
    expect(document.documentElement.style.overflow).to.equal('hidden');
    expect(count(viewer)).to.equal('3 of 5');
    viewer.root.activeElement instanceof HTMLElement && viewer.root.activeElement.click();
    await waitUntil(() => viewer.root.querySelector('dialog') === null);
    expect(viewer.root.activeElement).to.equal(viewer.tile);
    expect(document.documentElement.style.overflow).to.equal('');
  });
  it('moves with the arrow keys, stops at both ends, and keeps the focus', async () => {
    const viewer = await open();
    for (const [key, label] of [
      ['ArrowLeft', '1 of 5'],
      ['ArrowRight', '2 of 5'],
      ['End', '5 of 5'],
      ['ArrowRight', '5 of 5'],
      ['ArrowLeft', '4 of 5'],
      ['Home', '1 of 5'],
    ] as const) {
      press(viewer, key);
      await waitUntil(() => count(viewer) === label, `${key}: ${label}`);
      expect(viewer.dialog.matches(':focus-within')).to.equal(true);
    }
    named(viewer, 'Next picture')?.focus();
    press(viewer, 'End');
    await waitUntil(() => count(viewer) === '5 of 5');
    await waitUntil(() => viewer.dialog.matches(':focus-within'));
  });
  it('follows the reading direction', async () => {
    const viewer = await open(ALBUM, 0, 'ar');
    const before = count(viewer);
    press(viewer, 'ArrowRight');
    expect(count(viewer)).to.equal(before);
    press(viewer, 'ArrowLeft');
    await waitUntil(() => count(viewer) !== before);
    expect(viewer.dialog.querySelectorAll('.viewer-slide.left').length).to.equal(1);
  });
  it('zooms, and pans while it is zoomed', async () => {
    const viewer = await open();
    press(viewer, '+');
    await waitUntil(() => scale(viewer) === 1.5);
    await waitUntil(() => named(viewer, 'Zoom')?.getAttribute('aria-pressed') === 'true');
    press(viewer, 'ArrowRight');
    expect(new DOMMatrix(picture(viewer).style.transform).e).to.be.lessThan(0);
    expect(count(viewer)).to.equal('1 of 5');
    press(viewer, '0');
    await waitUntil(() => scale(viewer) === 1);
    named(viewer, 'Zoom')?.click();
    expect(scale(viewer)).to.equal(2.5);
    // At the edge of the picture, the arrow keys go to the next one.
    for (let times = 0; times < 20; times++) press(viewer, 'ArrowRight');
    await waitUntil(() => count(viewer) !== '1 of 5');
    expect(scale(viewer)).to.equal(1);
  });
  it('leaves the keys of a video to the video', async () => {
    const viewer = await open({
      media: [{ ...photo(40), type: 'video', mime: 'video/mp4' }, photo(41)],
    });
    const video = viewer.dialog.querySelector('.here video');
    video?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
    expect(count(viewer)).to.equal('1 of 2');
    expect(video?.hasAttribute('controls')).to.equal(true);
    expect(named(viewer, 'Zoom')).to.equal(null);
  });
});

describe('the media viewer with touch', () => {
  it('moves to the next picture on a swipe in the reading direction', async () => {
    const viewer = await open();
    touch(viewer, [path(centre(viewer), [-200, 10])]);
    await waitUntil(() => count(viewer) === '2 of 5');
    touch(viewer, [path(centre(viewer), [200, -10])]);
    await waitUntil(() => count(viewer) === '1 of 5');
    touch(viewer, [path(centre(viewer), [200, 0])]);
    expect(count(viewer)).to.equal('1 of 5');
    await unmount();
    const mirrored = await open(ALBUM, 0, 'ar');
    const before = count(mirrored);
    touch(mirrored, [path(centre(mirrored), [200, 0])]);
    await waitUntil(() => count(mirrored) !== before);
  });
  it('does not move on a swipe that the system cancels', async () => {
    const viewer = await open();
    touch(viewer, [path(centre(viewer), [-200, 0])], 'touch', 'pointercancel');
    expect(count(viewer)).to.equal('1 of 5');
  });
  it('follows a swipe down, and closes when the swipe is long enough', async () => {
    const viewer = await open();
    const track = viewer.dialog.querySelector<HTMLElement>('.viewer-track');
    touch(viewer, [path(centre(viewer), [0, 60]).slice(0, 3)], 'touch', 'pointermove');
    expect(new DOMMatrix(track?.style.transform).f).to.be.closeTo(24, 1);
    touch(viewer, [path(centre(viewer), [4, 160])]);
    await waitUntil(() => viewer.root.querySelector('dialog') === null);
    expect(viewer.root.activeElement).to.equal(viewer.tile);
  });
  it('zooms with two fingers and pans with one, without closing', async () => {
    const viewer = await open();
    const [x, y] = centre(viewer);
    touch(viewer, [path([x - 50, y], [-60, 0]), path([x + 50, y], [60, 0])]);
    expect(scale(viewer)).to.be.greaterThan(1.8);
    touch(viewer, [path([x, y], [0, 400])]);
    touch(viewer, [path([x, y], [-60, 0])]);
    expect(viewer.dialog.open).to.equal(true);
    expect(count(viewer)).to.equal('1 of 5');
    expect(new DOMMatrix(picture(viewer).style.transform).e).to.be.lessThan(0);
  });
  it('zooms in and out on a double tap', async () => {
    const viewer = await open();
    const point = centre(viewer);
    touch(viewer, [[point]]);
    touch(viewer, [[point]]);
    expect(scale(viewer)).to.equal(2.5);
    touch(viewer, [[point]]);
    touch(viewer, [[point]]);
    expect(scale(viewer)).to.equal(1);
  });
  it('hides the controls on a tap, and shows them on the next tap or key', async () => {
    const viewer = await open();
    touch(viewer, [[centre(viewer)]]);
    await waitUntil(() => viewer.dialog.matches('.bare'));
    press(viewer, 'Tab');
    await waitUntil(() => !viewer.dialog.matches('.bare'));
  });
  it('lets each of two quick taps at different positions have its effect', async () => {
    const shown = await open();
    const [x, y] = centre(shown);
    touch(shown, [[[x, y]]]);
    touch(shown, [[[x + 60, y]]]);
    await waitUntil(() => shown.dialog.matches('.bare'));
    await waitUntil(() => !shown.dialog.matches('.bare'));
    expect(scale(shown)).to.equal(1);
  });
  it('stops Telegram from closing the app on a vertical swipe while it is open', async () => {
    const base = make(ALBUM);
    const allowed: boolean[] = [];
    const services = { ...base, host: { ...base.host, allowVerticalSwipes: (allow: boolean) => allowed.push(allow) } };
    const viewer = await open(ALBUM, 0, 'en', services);
    expect(allowed).to.deep.equal([false]);
    named(viewer, 'Close')?.click();
    await waitUntil(() => allowed.at(-1) === true);
  });
});

describe('the media viewer with the mouse', () => {
  it('zooms at the pointer with the wheel, and does not scroll the page', async () => {
    const viewer = await open();
    const [clientX, clientY] = centre(viewer);
    const wheel = new WheelEvent('wheel', { deltaY: -400, clientX, clientY, bubbles: true, cancelable: true });
    viewer.viewport.dispatchEvent(wheel);
    expect(wheel.defaultPrevented).to.equal(true);
    expect(scale(viewer)).to.be.greaterThan(2);
  });
  it('zooms by the height of the viewport for a wheel event in pages', async () => {
    const shown = await open();
    const [clientX, clientY] = centre(shown);
    const init = { deltaY: -1, deltaMode: WheelEvent.DOM_DELTA_PAGE, clientX, clientY, bubbles: true, cancelable: true };
    shown.viewport.dispatchEvent(new WheelEvent('wheel', init));
    expect(scale(shown)).to.be.greaterThan(2);
  });
  it('closes on a click next to the picture, but not on the picture', async () => {
    const viewer = await open();
    touch(viewer, [[centre(viewer)]], 'mouse');
    const { viewport } = viewer;
    const beside = { pointerId: 1, pointerType: 'mouse', button: 0, clientX: 3, clientY: 3, bubbles: true };
    expect(viewer.dialog.open).to.equal(true);
    for (const type of ['pointerdown', 'pointerup']) viewport.dispatchEvent(new PointerEvent(type, beside));
    await waitUntil(() => viewer.root.querySelector('dialog') === null);
  });
});

describe('the media viewer in the history', () => {
  it('closes on Back and leaves the page unchanged', async () => {
    const viewer = await open();
    expect(isPlain()).to.equal(false);
    const href = location.href;
    history.back();
    await waitUntil(() => viewer.root.querySelector('dialog') === null);
    expect(viewer.root.activeElement).to.equal(viewer.tile);
    expect(isPlain()).to.equal(true);
    expect(location.href).to.equal(href);
  });
  it('leaves no history entry after it closes, and closes no other overlay', async () => {
    const viewer = await open();
    const { length } = history;
    for (let times = 0; times < 2; times++) {
      viewer.root.querySelector<HTMLElement>('dialog [aria-label=Close]')?.click();
      await waitUntil(() => viewer.root.querySelector('dialog') === null && isPlain());
      viewer.tile.click();
      await waitUntil(() => viewer.root.querySelector('dialog.viewer[open]'));
    }
    expect(history.length).to.equal(length);
  });
  it('adds no history entry on a host page', async () => {
    const { length } = history;
    const embedded = readingServices(stubList(loaded([post(40, ALBUM), ...posts(39, 20)])), { embedded: true });
    const viewer = await open(ALBUM, 0, 'en', embedded);
    expect(history.length).to.equal(length);
    expect(isPlain()).to.equal(true);
    named(viewer, 'Close')?.click();
    await waitUntil(() => viewer.root.querySelector('dialog') === null);
  });
});

describe('the media viewer', () => {
  it('shows the full caption with its links, and closes when the user follows a link', async () => {
    const viewer = await open();
    const caption = named(viewer, 'Text of the post');
    expect(caption?.textContent).to.contain('Its end #tide');
    const link = caption?.querySelector('a');
    link?.addEventListener('click', (event) => event.preventDefault());
    link?.click();
    await waitUntil(() => viewer.root.querySelector('dialog') === null);
  });
  it('downloads the file under a name that includes the channel', async () => {
    const viewer = await open({ media: [photo(40, 1600, 1000, { name: 'tide.svg' }), photo(41)] });
    const name = () => named(viewer, 'Download')?.getAttribute('download');
    expect(name()).to.equal('tide.svg');
    press(viewer, 'ArrowRight');
    await waitUntil(() => name() === 'u1-41');
  });
  it('says when a picture is smaller than its original, and links to the original', async () => {
    const viewer = await open({ link: 'https://t.me/gazette/40', media: [photo(40, 1600, 1000, { missing: 'dropped' })] });
    const note = viewer.dialog.querySelector('.viewer-note');
    expect(note?.textContent).to.contain('smaller copy');
    expect(note?.querySelector('a')?.href).to.equal('https://t.me/gazette/40');
  });
  it('says when a picture cannot be loaded', async () => {
    const viewer = await open({ media: [photo(40, 1600, 1000, { src: '/none.jpg' })] });
    await waitUntil(() => picture(viewer).textContent?.includes('Picture not available now'));
  });
  it('shows every picture complete and centred', async () => {
    for (const [width, height] of [
      [1600, 1000],
      [500, 3000],
      [4000, 300],
    ] as const) {
      const viewer = await open({ media: [photo(40, width, height)] });
      const box = picture(viewer).getBoundingClientRect();
      expect(box.width / box.height, `${width}`).to.be.closeTo(width / height, 0.1 * (width / height));
      expect(box.width, `${width}`).to.be.at.most(viewer.viewport.clientWidth);
      expect(box.height, `${width}`).to.be.at.most(viewer.viewport.clientHeight);
      expect(box.left + box.right).to.be.closeTo(viewer.viewport.clientWidth, 2);
      await unmount();
    }
  });
  for (const lang of ['en', 'ar'])
    it(`passes axe, ${lang}`, async () => {
      const viewer = await open({ ...ALBUM, link: 'https://t.me/gazette/40' }, 1, lang);
      const { violations } = await axe.run(viewer.dialog, {
        rules: { 'target-size': { enabled: true }, region: { enabled: false } },
      });
      expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().at(-1)}`))).to.deep.equal(
        [],
      );
    });
});
