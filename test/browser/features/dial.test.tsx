// changer-dial: the channel switcher.

import { aTimeout, expect, waitUntil } from '@open-wc/testing';
import { lineupActions } from '../data/data-client-fixture.ts';
import {
  announcement,
  button,
  click,
  currentTitle,
  find,
  focusedRow,
  has,
  mountDial,
  order,
  press,
  pressOnFocused,
  type,
  unmountDial,
  waitForLazyParts,
  waitUntilCurrent,
  waitUntilMovable,
} from './dial-driver.ts';
import { channel, stubServices } from './dial-services.ts';

afterEach(unmountDial);

describe('changer-dial', () => {
  it('shows the first channel with its number, its unread count and its last posts', () => {
    const dial = mountDial(stubServices());
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
    expect(find(dial, '.card-number').textContent).to.equal('0112 unread of 7');
    expect(dial.shadowRoot?.querySelectorAll('.card-posts li').length).to.equal(3);
  });

  it('hides the drag handles in a narrow list to give names more space, until the list is edited', async () => {
    const dial = mountDial(stubServices());
    dial.style.inlineSize = '360px';
    const shown = () => getComputedStyle(find(dial, '.grip')).display !== 'none';
    expect(shown()).to.equal(false);
    await click(dial, 'Edit');
    await waitUntil(() => dial.shadowRoot?.querySelector('.editing') && shown());
    dial.style.inlineSize = '600px';
    await click(dial, 'Done');
    expect(shown()).to.equal(true);
  });

  it('selects the channel number in the URL, also when the URL changes', async () => {
    const dial = mountDial(stubServices(), {}, { n: '3' });
    expect(currentTitle(dial)).to.equal('مرصد المدينة');
    await aTimeout(0);
    dial.params = { n: '5' };
    await waitUntilCurrent(dial, 'Night Sky');
  });

  it('moves to the next and the previous channel, wraps at the end, and announces it once', async () => {
    const dial = mountDial(stubServices());
    await click(dial, 'Next channel');
    await waitUntilCurrent(dial, 'Orchard University');
    expect(announcement(dial)).to.equal('Channel 2, Orchard University, 3 unread');
    await click(dial, 'Previous channel');
    await click(dial, 'Previous channel');
    await waitUntilCurrent(dial, 'Transit Desk');
    expect(announcement(dial)).to.equal('Channel 7, Transit Desk, 99+ unread');
  });

  it('returns to the last channel', async () => {
    const dial = mountDial(stubServices());
    await press('4');
    await press('Enter');
    await waitUntilCurrent(dial, 'Трамвай 5');
    await press('l');
    await waitUntilCurrent(dial, 'Harbour Gazette');
    await press('Backspace');
    await waitUntilCurrent(dial, 'Трамвай 5');
  });

  it('moves with the arrow keys in reading direction', async () => {
    const dial = mountDial(stubServices(), { lang: 'ar' });
    await press('ArrowLeft');
    await waitUntilCurrent(dial, 'Orchard University');
    await press('ArrowRight');
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });

  it('goes to a typed number after a moment, and says when there is none', async () => {
    const dial = mountDial(stubServices());
    await press('5');
    expect(find(dial, '.card-number .typing').textContent).to.equal('5');
    await waitUntilCurrent(dial, 'Night Sky');
    await press('4');
    await press('2');
    await waitUntil(() => announcement(dial) === 'No channel 42');
    expect(currentTitle(dial)).to.equal('Night Sky');
  });

  it('accepts Arabic and Persian digits', async () => {
    const dial = mountDial(stubServices());
    await press('٥');
    expect(find(dial, '.card-number .typing').textContent).to.equal('5');
    await press('Enter');
    await waitUntilCurrent(dial, 'Night Sky');
    await press('۲');
    await press('Enter');
    await waitUntilCurrent(dial, 'Orchard University');
    await waitForLazyParts(dial);
    await press('/');
    await waitUntil(() => dial.shadowRoot?.querySelector('.find') !== null);
    await type(find(dial, '.find input'), '۷');
    await waitUntil(() => order(dial) === '7');
  });

  it('opens the selected channel with Enter and with its link', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await press('Enter');
    expect(services.calls).to.include('navigate /channel/u1');
    expect(button(dial, 'Open channel').getAttribute('href')).to.equal('/channel/u1');
  });

  it('moves a row by keyboard, keeps the focus on it, announces its position, and undoes the move', async () => {
    const dial = mountDial(stubServices());
    const row = find(dial, '[data-row="2"] .row-main');
    row.focus();
    await press('ArrowDown', { on: row, altKey: true });
    await waitUntil(() => order(dial) === '1324567');
    expect(announcement(dial)).to.equal('Orchard University moved to 3 of 7');
    expect(focusedRow(dial)).to.equal('2');
    await press('u');
    await waitUntil(() => order(dial) === '1234567');
    expect(announcement(dial)).to.equal('Undone');
    expect(focusedRow(dial)).to.equal('2');
  });

  it('turns a channel off with Space, moves the focus to the next row, and restores the channel on Undo', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    const row = find(dial, '[data-row="2"] .row-main');
    row.focus();
    await press(' ', { on: row });
    await waitUntil(() => order(dial) === '134567');
    expect(focusedRow(dial)).to.equal('3');
    await click(dial, 'Undo');
    await waitUntil(() => order(dial) === '1234567');
    expect(services.calls).to.include('undo');
  });

  it('selects the channel whose row has the focus, and keeps the focus on the selected channel', async () => {
    const dial = mountDial(stubServices());
    find(dial, '[data-row="4"] .row-main').focus();
    await waitUntilCurrent(dial, 'Трамвай 5');
    await pressOnFocused(dial, 'ArrowRight');
    await waitUntilCurrent(dial, 'Night Sky');
    expect(focusedRow(dial)).to.equal('5');
    await pressOnFocused(dial, '2');
    await pressOnFocused(dial, 'Enter');
    await waitUntilCurrent(dial, 'Orchard University');
    expect(focusedRow(dial)).to.equal('2');
    await pressOnFocused(dial, 'l');
    await waitUntilCurrent(dial, 'Night Sky');
    expect(focusedRow(dial)).to.equal('5');
    button(dial, 'More for Kitchen Notes').focus();
    await waitUntilCurrent(dial, 'Kitchen Notes');
  });

  it('applies keys to the selected channel, and opens it from its row', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await click(dial, 'Next channel');
    await waitUntilCurrent(dial, 'Orchard University');
    find(dial, '[data-row="4"] .row-main').focus();
    await waitUntilCurrent(dial, 'Трамвай 5');
    await click(dial, 'Next channel');
    await waitUntilCurrent(dial, 'Night Sky');
    await pressOnFocused(dial, 'm');
    await pressOnFocused(dial, 'ArrowUp', { altKey: true });
    await waitUntil(() => order(dial) === '1235467');
    await pressOnFocused(dial, ' ');
    await waitUntil(() => order(dial) === '123467');
    expect(services.calls.filter((call) => /^(mute|move|unfollow)/.test(call))).to.deep.equal(['mute 5', 'move 5', 'unfollow 5']);
    expect(focusedRow(dial)).to.equal('4');
    await waitUntilCurrent(dial, 'Трамвай 5');
    await pressOnFocused(dial, 'Enter');
    expect(services.calls).to.include('navigate /channel/u4');
  });

  it('moves through the search results with J and K', async () => {
    const dial = mountDial(stubServices());
    await waitForLazyParts(dial);
    await press('/');
    await waitUntil(() => dial.shadowRoot?.querySelector('.find') !== null);
    await type(find(dial, '.find input'), 'n');
    await waitUntil(() => order(dial) === '2567');
    await press('j', { on: dial });
    await waitUntilCurrent(dial, 'Orchard University');
    expect(focusedRow(dial)).to.equal('2');
    await pressOnFocused(dial, 'k');
    await waitUntilCurrent(dial, 'Transit Desk');
    expect(focusedRow(dial)).to.equal('7');
  });

  it('selects and focuses the channel that Undo restored', async () => {
    const dial = mountDial(stubServices());
    find(dial, '[data-row="2"] .row-main').focus();
    await pressOnFocused(dial, ' ');
    await waitUntil(() => order(dial) === '134567');
    expect(focusedRow(dial)).to.equal('3');
    await waitUntilCurrent(dial, 'مرصد المدينة');
    await pressOnFocused(dial, 'ArrowRight');
    await waitUntilCurrent(dial, 'Трамвай 5');
    await pressOnFocused(dial, 'u');
    await waitUntil(() => order(dial) === '1234567');
    await waitUntilCurrent(dial, 'Orchard University');
    expect(focusedRow(dial)).to.equal('2');
  });

  it('selects the channel that Undo restored while nothing has the focus', async () => {
    const dial = mountDial(stubServices());
    await press(' ');
    await waitUntil(() => order(dial) === '234567');
    await press('5');
    await press('Enter');
    await waitUntilCurrent(dial, 'Kitchen Notes');
    await press('u');
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });

  it('ignores Enter and Space on the link and the button of another channel', async () => {
    const services = stubServices({ off: ['6'] });
    const dial = mountDial(services);
    await waitForLazyParts(dial);
    const link = find(dial, '[data-available="6"] a');
    link.focus();
    await pressOnFocused(dial, 'Enter');
    await pressOnFocused(dial, ' ');
    expect(services.calls).to.deep.equal([]);
    button(dial, 'Follow Kitchen Notes').focus();
    await click(dial, 'Follow Kitchen Notes');
    await waitUntil(() => order(dial).includes('6'));
    await pressOnFocused(dial, 'u');
    await waitUntil(() => !order(dial).includes('6'));
    expect(dial.shadowRoot?.activeElement?.getAttribute('aria-label')).to.match(/Kitchen Notes$/);
  });

  it('selects the neighbour of a channel that was turned off, and the channel again after Undo', async () => {
    const dial = mountDial(stubServices());
    await press('2');
    await press('Enter');
    await waitUntilCurrent(dial, 'Orchard University');
    await press(' ');
    await waitUntilCurrent(dial, 'مرصد المدينة');
    await press('u');
    await waitUntilCurrent(dial, 'Orchard University');
  });

  it('selects a channel whose number has three digits', async () => {
    const network = Array.from({ length: 120 }, (_, index) => channel(String(index + 1), `Channel ${index + 1}`));
    const dial = mountDial(stubServices({ network }));
    for (const digit of '112') await press(digit);
    await press('Enter');
    await waitUntilCurrent(dial, 'Channel 112');
    for (const digit of '101') await press(digit);
    await waitUntilCurrent(dial, 'Channel 101');
  });

  it('mutes and unmutes with M', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await press('m');
    await waitUntil(() => find(dial, '[data-row="1"]').classList.contains('muted'));
    expect(announcement(dial)).to.equal('Harbour Gazette: Muted');
    await press('m');
    await waitUntil(() => !find(dial, '[data-row="1"]').classList.contains('muted'));
    expect(services.calls.filter((call) => call.startsWith('mute'))).to.deep.equal(['mute 1']);
  });

  it('moves a row by its drag handle, and puts it back on Escape', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await waitUntilMovable(dial);
    const grip = find(dial, '[data-row="1"] .grip');
    const far = () => find(dial, '[data-row="4"]').getBoundingClientRect();
    const drag = async (end: () => void, moved: string) => {
      const from = find(dial, '[data-row="1"]').getBoundingClientRect();
      const init = { bubbles: true, composed: true, isPrimary: true, button: 0, pointerId: 1, pointerType: 'mouse' };
      const to = far().top;
      grip.dispatchEvent(new PointerEvent('pointerdown', { ...init, clientY: from.top }));
      window.dispatchEvent(new PointerEvent('pointermove', { ...init, clientY: to }));
      await waitUntil(() => find(dial, '[data-row="2"]').style.transform !== '', 'rows make room');
      end();
      await waitUntil(() => find(dial, '[data-row="2"]').style.transform === '', 'rows are put back');
      expect(order(dial)).to.equal(moved);
    };
    window.scrollTo(0, find(dial, '[data-row="1"]').getBoundingClientRect().top - 100);
    await drag(() => void press('Escape', { on: window }), '1234567');
    await drag(() => window.dispatchEvent(new PointerEvent('pointerup', { pointerId: 1 })), '2341567');
    expect(services.calls).to.include('move 1');
  });

  it('moves a row to a number from its menu', async () => {
    const dial = mountDial(stubServices());
    await waitForLazyParts(dial);
    await click(dial, 'More for Night Sky');
    await waitUntil(() => dial.shadowRoot?.querySelector('dialog[open]') !== null);
    const field = find(dial, 'dialog input') as HTMLInputElement;
    field.value = '1';
    field.dispatchEvent(new Event('input', { bubbles: true }));
    await click(dial, 'Move');
    await waitUntil(() => order(dial).startsWith('5'));
    expect(dial.shadowRoot?.querySelectorAll('dialog').length).to.equal(0);
  });

  for (const lang of ['en', 'ru', 'ar'])
    it(`shows the whole menu of a row in ${lang}, also with large text`, async () => {
      const dial = mountDial(stubServices(), { lang });
      await waitForLazyParts(dial);
      find(dial, '[data-row="5"] [aria-haspopup=dialog]').click();
      await waitUntil(() => has(dial, 'dialog[open] .menu-number'));
      const sheet = find(dial, 'dialog');
      for (const size of ['16px', '24px']) {
        find(dial, 'dialog .menu').style.fontSize = size;
        for (const part of sheet.querySelectorAll<HTMLElement>('.menu *')) {
          const { left, right } = part.getBoundingClientRect();
          const within = sheet.getBoundingClientRect();
          expect(left, part.textContent ?? '').to.be.at.least(within.left);
          expect(right, part.textContent ?? '').to.be.at.most(within.right);
        }
      }
    });

  it('follows a channel that is available', async () => {
    const dial = mountDial(stubServices({ off: ['6'] }));
    await waitForLazyParts(dial);
    await click(dial, 'Follow Kitchen Notes');
    await waitUntil(() => order(dial) === '1234576' || order(dial) === '1234567');
  });

  it('ignores keys in a dialog, and letters when single-key shortcuts are off', async () => {
    const dial = mountDial(stubServices());
    await press('?');
    await waitUntil(() => dial.shadowRoot?.querySelector('dialog[open]') !== null);
    await press('ArrowRight', { on: find(dial, 'dialog .switch') });
    find(dial, 'dialog .switch').click();
    await click(dial, 'Close');
    await waitUntil(() => dial.shadowRoot?.querySelector('dialog') === null);
    await press('2');
    await press('Enter');
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
    await press('PageDown');
    await waitUntilCurrent(dial, 'Orchard University');
    localStorage.removeItem('channel-changer.single-keys');
  });

  it('only moves between channels, and only while it has the focus, on a host page', async () => {
    const services = stubServices({ embedded: true });
    const dial = mountDial(services);
    await press('ArrowRight');
    expect(currentTitle(dial)).to.equal('Harbour Gazette');
    const next = button(dial, 'Next channel');
    await press('ArrowRight', { on: next });
    await waitUntilCurrent(dial, 'Orchard University');
    await press('m', { on: next });
    expect(services.calls.filter((call) => !call.startsWith('haptic'))).to.deep.equal([]);
    expect(dial.shadowRoot?.querySelectorAll('.row-controls').length).to.equal(0);
  });

  it('returns to the last selected channel', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await click(dial, 'Next channel');
    await waitUntilCurrent(dial, 'Orchard University');
    dial.remove();
    expect(currentTitle(mountDial(services))).to.equal('Orchard University');
  });

  it('returns to the last selected channel after a reload, unless the URL names another number', async () => {
    const dial = mountDial(stubServices());
    await press('5');
    await press('Enter');
    await waitUntilCurrent(dial, 'Night Sky');
    window.dispatchEvent(new Event('pagehide'));
    unmountDial();
    // After a reload, the page has a new data layer.
    const again = mountDial(stubServices(), {}, {}, true);
    expect(currentTitle(again)).to.equal('Night Sky');
    expect(button(again, 'Back to 1Harbour Gazette')).not.to.equal(null);
    unmountDial();
    expect(currentTitle(mountDial(stubServices(), {}, { n: '3' }, true))).to.equal('مرصد المدينة');
  });

  it('explains each state without channels: loading, failed, empty, all off, all muted, waiting', async () => {
    localStorage.removeItem('channel-changer.dial-hint');
    const services = stubServices();
    const dial = mountDial(services);
    const text = () => dial.shadowRoot?.textContent ?? '';
    const { lineup, saving } = services.signals;
    const loaded = lineup.get();
    expect(text()).to.contain('You follow all 7.');
    saving.set({ type: 'waiting', count: 3 });
    await waitUntil(() => text().includes('3 changes waiting'));
    for (const id of ['1', '2', '3', '4', '5', '6', '7']) lineupActions(services.dataClient).mute(id, 0);
    await waitUntil(() => text().includes('All channels are muted.'));
    for (const id of ['1', '2', '3', '4', '5', '6', '7']) lineupActions(services.dataClient).follow(id, false);
    await waitUntil(() => text().includes('You follow no channel'));
    lineup.set({ type: 'loading' });
    await waitUntil(() => dial.shadowRoot?.querySelector('[aria-busy=true]') !== null);
    lineup.set({ type: 'failed', message: 'No response received', status: null });
    await waitUntil(() => text().includes('Check your connection.'));
    await click(dial, 'Try again');
    expect(services.calls).to.include('refresh');
    for (const [status, why] of [
      [404, 'Not found. It may have been removed.'],
      [429, 'That was too much at once.'],
      [503, 'The server cannot answer just now.'],
      [400, 'The server did not accept this.'],
    ] as const) {
      lineup.set({ type: 'failed', message: `Request failed with status code ${status}`, status });
      await waitUntil(() => text().includes(why), why);
      expect(text()).not.to.contain('Request failed');
    }
    lineup.set({ type: 'loaded', value: [], cachedAt: null });
    await waitUntil(() => text().includes('No channels yet'));
    lineup.set(loaded);
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });

  it('passes axe, also while its rows are edited', async () => {
    const dial = mountDial(stubServices({ off: ['6'] }));
    await expect(dial).to.be.accessible();
    await click(dial, 'Edit');
    await waitUntil(() => dial.shadowRoot?.querySelector('.editing') !== null);
    await expect(dial).to.be.accessible();
  });
});
