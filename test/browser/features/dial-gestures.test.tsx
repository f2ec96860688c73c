// Touch and wheel gestures on the card of the dial.

import { aTimeout, expect, nextFrame, waitUntil } from '@open-wc/testing';
import { currentTitle, find, mountDial, order, unmountDial, waitUntilCurrent, waitUntilMovable } from './dial-driver.ts';
import { stubServices } from './dial-services.ts';

afterEach(async () => {
  unmountDial();
  window.scrollTo(0, 0);
  // The event is dispatched in the next frame.
  await nextFrame();
});

const TOUCH = { bubbles: true, composed: true, isPrimary: true, button: 0, pointerId: 7, pointerType: 'touch' };

/** Moves a finger on the card through these positions, `pause` ms apart, and lifts it. */
async function swipe(dial: Element, xs: readonly number[], { pause = 16, lift = true, y = 0 } = {}): Promise<void> {
  const card = find(dial, '.card');
  const { top } = card.getBoundingClientRect();
  const dispatch = (type: string, x: number, step: number) =>
    card.dispatchEvent(new PointerEvent(type, { ...TOUCH, clientX: x, clientY: top + 60 + step * y }));
  dispatch('pointerdown', xs[0] ?? 0, 0);
  for (const [step, x] of xs.entries()) {
    await aTimeout(pause);
    dispatch('pointermove', x, step);
  }
  if (lift) dispatch('pointerup', xs.at(-1) ?? 0, xs.length - 1);
  await aTimeout(0);
}
const shift = (dial: Element): number => new DOMMatrix(getComputedStyle(find(dial, '.card-page')).transform).m41;

describe('touch on the dial card', () => {
  it('goes to the next channel on a swipe, with haptic feedback, but not on a short slow swipe', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await swipe(dial, [300, 280, 240, 200]);
    await waitUntilCurrent(dial, 'Orchard University');
    expect(services.calls.filter((call) => call.startsWith('haptic'))).to.deep.equal(['haptic selection']);
    await swipe(dial, [200, 212, 220, 220, 220, 220], { pause: 40 });
    expect(currentTitle(dial)).to.equal('Orchard University');
    await swipe(dial, [200, 240, 300]);
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });

  it('goes to the next channel on a short quick swipe', async () => {
    const dial = mountDial(stubServices());
    await swipe(dial, [300, 290, 275, 255], { pause: 5 });
    await waitUntilCurrent(dial, 'Orchard University');
  });

  it('follows the reading direction', async () => {
    const dial = mountDial(stubServices(), { lang: 'ar' });
    await waitUntil(() => dial.shadowRoot?.querySelector('[dir=rtl]'));
    await swipe(dial, [200, 220, 260, 300]);
    await waitUntilCurrent(dial, 'Orchard University');
  });

  it('follows the finger, and can be caught while it moves back', async () => {
    const dial = mountDial(stubServices());
    await swipe(dial, [200, 210, 240], { pause: 60, lift: false });
    expect(shift(dial)).to.equal(40);
    find(dial, '.card').dispatchEvent(new PointerEvent('pointercancel', { ...TOUCH, clientX: 240, clientY: 0 }));
    await swipe(dial, [240], { lift: false });
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
    await waitUntil(() => find(dial, '.card').dataset.swiping === '' || shift(dial) === 0);
  });

  it('ignores a swipe from the edge of the page, and a vertical swipe', async () => {
    const dial = mountDial(stubServices());
    await swipe(dial, [5, 60, 140, 220]);
    await swipe(dial, [300, 290, 250, 150], { y: 60 });
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
  });

  it('moves a row after a long press, and turns the swipes of the host off meanwhile', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await waitUntilMovable(dial);
    const row = find(dial, '[data-row="2"]');
    row.scrollIntoView({ block: 'center' });
    const { top, left } = row.getBoundingClientRect();
    const init = { ...TOUCH, clientX: left + 40 };
    find(dial, '[data-row="2"] .row-main').dispatchEvent(new PointerEvent('pointerdown', { ...init, clientY: top + 20 }));
    await waitUntil(() => services.calls.includes('vertical swipes false'), 'the row is taken up');
    window.dispatchEvent(new PointerEvent('pointermove', { ...init, clientY: top + 90 }));
    await waitUntil(() => find(dial, '[data-row="3"]').style.transform !== '', 'rows make room');
    window.dispatchEvent(new PointerEvent('pointerup', init));
    await waitUntil(() => order(dial) === '1324567');
    expect(services.calls.slice(-3)).to.include('vertical swipes true');
  });
});

describe('the wheel over the dial card', () => {
  const wheel = (dial: Element, init: WheelEventInit): boolean =>
    find(dial, '.card').dispatchEvent(new WheelEvent('wheel', { bubbles: true, composed: true, cancelable: true, ...init }));

  /** Prevents the page from scrolling until the test has ended. */
  const fixPage = () => {
    document.documentElement.style.overflow = 'hidden';
  };
  afterEach(() => {
    document.documentElement.style.overflow = '';
    document.body.style.paddingBlockEnd = '';
  });
  /** Lengthens the page beyond the window. */
  const lengthenPage = () => {
    document.body.style.paddingBlockEnd = '3000px';
  };

  it('goes to the next channel once per notch on a page that cannot scroll', async () => {
    fixPage();
    const dial = mountDial(stubServices());
    expect(wheel(dial, { deltaY: 100 })).to.equal(false);
    wheel(dial, { deltaY: 100 });
    await waitUntilCurrent(dial, 'Orchard University');
    await aTimeout(200);
    wheel(dial, { deltaY: -100 });
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });

  it('scrolls a page that can scroll, also at its end, and changes the channel with Shift or Alt', async () => {
    lengthenPage();
    const dial = mountDial(stubServices());
    expect(wheel(dial, { deltaY: 100 })).to.equal(true);
    expect(wheel(dial, { deltaY: -100 })).to.equal(true);
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
    expect(wheel(dial, { deltaY: 100, altKey: true })).to.equal(false);
    await waitUntilCurrent(dial, 'Orchard University');
    await aTimeout(200);
    // In Chromium, a wheel notch with Shift scrolls sideways.
    expect(wheel(dial, { deltaX: -100, shiftKey: true })).to.equal(false);
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });

  it('scrolls a container around the dial on a page that cannot scroll', async () => {
    fixPage();
    const dial = mountDial(stubServices());
    const box = document.createElement('div');
    box.style.cssText = 'block-size: 200px; overflow-y: auto';
    dial.replaceWith(box);
    box.append(dial);
    expect(wheel(dial, { deltaY: 100 })).to.equal(true);
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
    box.replaceWith(dial);
  });

  it('ignores scrolling with a trackpad and zooming', async () => {
    fixPage();
    const dial = mountDial(stubServices());
    expect(wheel(dial, { deltaY: 12 })).to.equal(true);
    expect(wheel(dial, { deltaY: 100, ctrlKey: true })).to.equal(true);
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
  });

  it('changes the channel once on a horizontal scroll', async () => {
    const dial = mountDial(stubServices());
    for (let step = 0; step < 12; step += 1) wheel(dial, { deltaX: 20 });
    await waitUntilCurrent(dial, 'Orchard University');
    await aTimeout(0);
    expect(currentTitle(dial)).to.equal('Orchard University');
  });

  it('does nothing in an element without focus on a host page', async () => {
    fixPage();
    const dial = mountDial(stubServices({ embedded: true }));
    expect(wheel(dial, { deltaY: 100 })).to.equal(true);
    find(dial, '.round').focus();
    expect(wheel(dial, { deltaY: 100 })).to.equal(false);
  });
});
