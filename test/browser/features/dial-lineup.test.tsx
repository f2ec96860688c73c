// Line-up on the dial: presets, sections, and editing of rows.

import { expect, waitUntil } from '@open-wc/testing';
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
  text,
  type,
  unmountDial,
  waitForLazyParts,
  waitUntilCurrent,
} from './dial-driver.ts';
import { channel, stubServices } from './dial-services.ts';

afterEach(unmountDial);

const MORNING = { id: 'm', name: 'Morning', channelIds: ['2', '4', '5'] };
const WORK = { id: 'w', name: 'Work', channelIds: ['7'] };
const DAY = 24 * 3600 * 1000;
const muted = (dial: Element): string =>
  [...(dial.shadowRoot?.querySelectorAll<HTMLElement>('[data-row].muted') ?? [])].map((row) => row.dataset.row).join('');
const checked = (dial: Element): string =>
  [...(dial.shadowRoot?.querySelectorAll<HTMLElement>('[data-row].checked') ?? [])].map((row) => row.dataset.row).join('');
const box = (dial: Element, id: string): HTMLElement => find(dial, `[data-row="${id}"] .row-check`);
const dialogOpens = (dial: Element) => waitUntil(() => has(dial, 'dialog[open]'), 'a sheet is open');

async function edit(dial: Element): Promise<void> {
  await click(dial, 'Edit');
  await waitUntil(() => has(dial, '.editing') && has(dial, '.bulk'), 'rows are edited');
}

describe('presets', () => {
  it('switch on P through all channels and each preset, announce the preset, and keep the channel numbers', async () => {
    const services = stubServices({ given: { presets: [MORNING, WORK] } });
    const dial = mountDial(services);
    await press('p');
    await waitUntil(() => order(dial) === '245');
    expect(announcement(dial)).to.equal('Preset Morning, 3 channels');
    expect(currentTitle(dial)).to.equal('Orchard University');
    expect(find(dial, '[data-row="4"] .row-number').textContent).to.equal('4');
    expect(services.calls).to.include('navigate /changer?preset=m');
    await press('p');
    await waitUntilCurrent(dial, 'Transit Desk');
    await press('p');
    await waitUntil(() => order(dial) === '1234567');
    expect(announcement(dial)).to.equal('All channels: 7 channels');
    expect(services.calls.at(-1)).to.equal('navigate /changer');
  });

  it('list in the sheet how many channels and unread posts each preset has', async () => {
    const dial = mountDial(stubServices({ given: { presets: [MORNING, WORK] } }), {}, { preset: 'm' });
    await waitForLazyParts(dial);
    find(dial, '.preset-chip').click();
    await dialogOpens(dial);
    const rows = [...(dial.shadowRoot?.querySelectorAll('.presets small') ?? [])].map((row) => row.textContent);
    expect(rows).to.deep.equal(['7 channels', '3 channels · 4 unread', '1 channel · 99+ unread']);
  });

  it('limit next and previous to the channels of the preset', async () => {
    const dial = mountDial(stubServices({ given: { presets: [MORNING] } }), {}, { preset: 'm' });
    await waitUntilCurrent(dial, 'Orchard University');
    await press('ArrowRight');
    await waitUntilCurrent(dial, 'Трамвай 5');
    await press('ArrowRight');
    await press('ArrowRight');
    await waitUntilCurrent(dial, 'Orchard University');
  });

  it('are switched off, with a message, by a channel number outside the preset', async () => {
    const dial = mountDial(stubServices({ given: { presets: [MORNING] } }), {}, { preset: 'm' });
    await press('7');
    await press('Enter');
    await waitUntilCurrent(dial, 'Transit Desk');
    expect(announcement(dial)).to.equal('Channel 7, Transit Desk, 99+ unread. Preset Morning is off');
    expect(order(dial)).to.equal('1234567');
  });

  it('stay active when the user comes back', async () => {
    const services = stubServices({ given: { presets: [MORNING] } });
    const dial = mountDial(services, {}, { preset: 'm' });
    await waitUntil(() => order(dial) === '245');
    dial.remove();
    expect(order(mountDial(services))).to.equal('245');
  });

  it('are created in the sheet, renamed, and removed with undo', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await waitForLazyParts(dial);
    await press('p');
    await dialogOpens(dial);
    await click(dial, 'New preset');
    await waitUntil(() => has(dial, '.preset-editor'));
    await type(find(dial, '.preset-editor > input'), 'Evening');
    find(dial, '.preset-editor label:nth-of-type(2) input').click();
    await click(dial, 'Save');
    await waitUntil(() => order(dial) === '2');
    expect(announcement(dial)).to.equal('Preset Evening, 1 channel');
    find(dial, '.preset-chip').click();
    await dialogOpens(dial);
    await click(dial, 'Edit Evening');
    await waitUntil(() => has(dial, '.preset-editor'));
    await type(find(dial, '.preset-editor > input'), 'Night');
    await click(dial, 'Save');
    await waitUntil(() => find(dial, '.preset-chip').textContent === 'Night');
    find(dial, '.preset-chip').click();
    await dialogOpens(dial);
    await click(dial, 'Edit Night');
    await waitUntil(() => has(dial, '.preset-editor'));
    await click(dial, 'Remove');
    await waitUntil(() => order(dial) === '1234567');
    expect(announcement(dial)).to.equal('Preset Night is removed');
    await press('u');
    await waitUntil(() => order(dial) === '2', 'the channel is in the line-up and selected');
  });

  it('link to all channels when no channel of the preset is followed', async () => {
    const services = stubServices({ off: ['7'], given: { presets: [WORK] } });
    const dial = mountDial(services, {}, { preset: 'w' });
    await waitUntil(() => text(dial).includes('You follow no channel of “Work”'));
    await click(dial, 'Show all channels');
    await waitUntilCurrent(dial, 'Harbour Gazette');
  });
});

describe('editing several rows', () => {
  it('selects ranges with Shift, by keyboard and by pointer, and selects all', async () => {
    const dial = mountDial(stubServices());
    await edit(dial);
    box(dial, '2').click();
    await waitUntil(() => checked(dial) === '2');
    box(dial, '5').dispatchEvent(new MouseEvent('click', { bubbles: true, composed: true, cancelable: true, shiftKey: true }));
    await waitUntil(() => checked(dial) === '2345');
    box(dial, '5').focus();
    await pressOnFocused(dial, 'ArrowDown', { shiftKey: true });
    await waitUntil(() => checked(dial) === '23456');
    expect(focusedRow(dial)).to.equal('6');
    find(dial, '.bulk-all input').click();
    await waitUntil(() => checked(dial) === '1234567');
    find(dial, '.bulk-all input').click();
    await waitUntil(() => checked(dial) === '');
  });

  it('moves the rows to a number as one action, announces it, and undoes it as one', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await edit(dial);
    for (const id of ['3', '5', '7']) box(dial, id).click();
    await waitUntil(() => checked(dial) === '357');
    await click(dial, 'Move');
    await dialogOpens(dial);
    await click(dial, 'Move to the top');
    await waitUntil(() => order(dial) === '3571246');
    expect(announcement(dial)).to.equal('3 channels moved to 1');
    expect(services.calls.filter((call) => call.startsWith('move'))).to.deep.equal(['move null']);
    expect(checked(dial)).to.equal('357');
    await press('u');
    await waitUntil(() => order(dial) === '1234567');
  });

  it('turns off, mutes and unmutes the rows, each with one undo, and keeps the focus', async () => {
    const dial = mountDial(stubServices());
    await edit(dial);
    for (const id of ['1', '2']) box(dial, id).click();
    await waitUntil(() => checked(dial) === '12');
    await click(dial, 'Mute');
    await dialogOpens(dial);
    await click(dial, 'Mute until I change it');
    await waitUntil(() => muted(dial) === '12');
    expect(announcement(dial)).to.equal('2 channels: Muted');
    await click(dial, 'Unmute');
    await waitUntil(() => muted(dial) === '');
    const off = button(dial, 'Unfollow');
    off.focus();
    off.click();
    await waitUntil(() => order(dial) === '34567');
    expect(announcement(dial)).to.equal('2 channels unfollowed');
    expect(dial.shadowRoot?.activeElement?.textContent).to.equal('Unfollow');
    await press('u');
    await waitUntil(() => order(dial) === '1234567');
  });

  it('adds the rows to an existing preset and to a new one', async () => {
    const services = stubServices({ given: { presets: [WORK] } });
    const dial = mountDial(services);
    await edit(dial);
    for (const id of ['1', '2']) box(dial, id).click();
    await waitUntil(() => checked(dial) === '12');
    await click(dial, 'Add to a preset');
    await dialogOpens(dial);
    await click(dial, 'Work');
    expect(announcement(dial)).to.equal('2 channels added to Work');
    expect(services.dataClient.presets.get()[0]?.channelIds).to.deep.equal(['7', '1', '2']);
    await click(dial, 'Add to a preset');
    await dialogOpens(dial);
    await click(dial, 'New preset');
    await waitUntil(() => has(dial, '.preset-editor'));
    const boxes = [...(dial.shadowRoot?.querySelectorAll<HTMLInputElement>('.preset-editor [type=checkbox]') ?? [])];
    expect(boxes.filter((each) => each.checked).length).to.equal(2);
  });

  it('shows on each of several selected rows how many move together, and nothing for one row', async () => {
    const dial = mountDial(stubServices());
    await edit(dial);
    box(dial, '2').click();
    await waitUntil(() => checked(dial) === '2');
    expect(has(dial, '[data-together]')).to.equal(false);
    box(dial, '4').click();
    await waitUntil(() => find(dial, '[data-row="4"]').dataset.together === '2');
    expect(find(dial, '[data-row="2"]').dataset.together).to.equal('2');
    expect(has(dial, '[data-row="3"][data-together]')).to.equal(false);
  });

  it('has nothing to select when no row is listed', async () => {
    const dial = mountDial(stubServices());
    await edit(dial);
    await click(dial, 'Search the line-up');
    await waitUntil(() => has(dial, '.find'));
    await type(find(dial, '.find input'), 'zebra');
    await waitUntil(() => find(dial, '.bulk-all input').matches(':disabled'));
    await type(find(dial, '.find input'), '');
    await waitUntil(() => find(dial, '.bulk-all input').matches(':enabled'));
  });

  it('moves the selected rows with Alt and an arrow key', async () => {
    const dial = mountDial(stubServices());
    await edit(dial);
    for (const id of ['2', '4']) box(dial, id).click();
    await waitUntil(() => checked(dial) === '24');
    box(dial, '4').focus();
    await pressOnFocused(dial, 'ArrowDown', { altKey: true });
    await waitUntil(() => order(dial) === '1352467');
    expect(focusedRow(dial)).to.equal('4');
  });
});

describe('the sections of the dial', () => {
  it('lists recently turned-off channels with a button that restores their position, separate from available channels', async () => {
    const entries = ['1', '2', '3', '4', '5', '6', '7'].map((channelId) => ({
      channelId,
      followed: !['3', '6'].includes(channelId),
    }));
    const contents = {
      entries: entries.map((entry) => ({
        ...entry,
        ...(entry.channelId === '3' && { changed: Date.now() - DAY }),
        ...(entry.channelId === '6' && { changed: Date.now() - 31 * DAY }),
      })),
    };
    const dial = mountDial(stubServices({ given: contents }));
    await waitForLazyParts(dial);
    const section = (id: string) => find(dial, `[aria-labelledby=${id}]`).textContent ?? '';
    expect(section('removed')).to.contain('مرصد المدينة').and.not.to.contain('Kitchen');
    expect(section('available')).to.contain('Kitchen Notes').and.not.to.contain('مرصد');
    await click(dial, 'Bring back مرصد المدينة');
    await waitUntil(() => order(dial) === '123457');
  });

  it('says why a channel has no new posts, else its description, and not its source', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    const { lineup } = services.signals;
    const shown = lineup.get();
    if (shown.type !== 'loaded') throw new Error('not loaded');
    const value = shown.value.map((row) => {
      if (row.channel.id === '1') return { ...row, channel: { ...row.channel, state: 'archived' as const, private: true } };
      return row.channel.id === '2' ? { ...row, channel: { ...row.channel, source: 'bot' as const } } : row;
    });
    lineup.set({ ...shown, value });
    await waitUntil(() => find(dial, '[data-row="1"] .row-about').textContent === 'No new posts · Private');
    expect(find(dial, '[data-row="2"] .row-about').textContent).to.equal('Notices, lectures, open days');
  });
});

describe('muting by words', () => {
  it('focuses the field and restores the focus on Escape; the menu before it starts at its top', async () => {
    const dial = mountDial(stubServices());
    await waitForLazyParts(dial);
    const more = button(dial, 'More for Night Sky');
    more.focus();
    more.click();
    await waitUntil(() => has(dial, 'dialog[open] .menu'));
    expect(dial.shadowRoot?.activeElement?.localName).to.equal('button');
    await click(dial, 'Mute by words…');
    await waitUntil(() => has(dial, '.words-add'));
    await waitUntil(() => dial.shadowRoot?.activeElement?.matches('.words-add input') === true, 'the field has the focus');
    find(dial, 'dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    await waitUntil(() => !has(dial, 'dialog'));
    expect(dial.shadowRoot?.activeElement?.getAttribute('aria-label')).to.equal('More for Night Sky');
  });

  it('asks the host to confirm closing while there are typed words or a changed preset', async () => {
    const confirmations: boolean[] = [];
    const services = stubServices({ given: { presets: [{ id: 'm', name: 'Morning', channelIds: ['1'] }] } });
    const host = { ...services.host, confirmClosing: (confirm: boolean) => void confirmations.push(confirm) };
    const dial = mountDial({ ...services, host });
    await waitForLazyParts(dial);
    await click(dial, 'More for Night Sky');
    await dialogOpens(dial);
    await click(dial, 'Mute by words…');
    await waitUntil(() => has(dial, '.words-add'));
    await type(find(dial, '.words-add input'), 'comet');
    await waitUntil(() => String(confirmations) === 'true');
    await type(find(dial, '.words-add input'), '');
    await waitUntil(() => String(confirmations) === 'true,false');
    find(dial, 'dialog').dispatchEvent(new Event('cancel', { cancelable: true }));
    await waitUntil(() => !has(dial, 'dialog'));
    find(dial, '.preset-chip').click();
    await dialogOpens(dial);
    await click(dial, 'Edit Morning');
    await waitUntil(() => has(dial, '.preset-editor'));
    const box = find(dial, '.preset-editor label:nth-of-type(2) input');
    box.click();
    await waitUntil(() => String(confirmations) === 'true,false,true');
    box.click();
    await waitUntil(() => String(confirmations) === 'true,false,true,false');
  });

  it('adds words on Enter, says the effect, removes them, and undoes the removal', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    await waitForLazyParts(dial);
    await click(dial, 'More for Night Sky');
    await dialogOpens(dial);
    await click(dial, 'Mute by words…');
    await waitUntil(() => has(dial, '.words-add'));
    const mutedWords = () => services.signals.contents.get().entries.find((entry) => entry.channelId === '5')?.mutedWords;
    await type(find(dial, '.words-add input'), ' comet ');
    find(dial, '.words-add button').click();
    await waitUntil(() => mutedWords()?.join() === 'comet');
    expect(text(dial)).to.contain('Night Sky: posts with “comet” are hidden');
    await click(dial, 'Remove “comet”');
    await waitUntil(() => mutedWords() === undefined);
    await click(dial, 'Close');
    await press('u');
    await waitUntil(() => mutedWords()?.join() === 'comet');
    await waitUntil(() => find(dial, '[data-row="5"] .row-about').textContent?.includes('Some words muted'));
  });
});

describe('the line-up search', () => {
  it('filters the rows as the user types, selects the first, and restores the focus', async () => {
    const dial = mountDial(stubServices());
    const row = find(dial, '[data-row="3"] .row-main');
    row.focus();
    await press('/', { on: row });
    await waitUntil(() => has(dial, '.find'));
    const field = find(dial, '.find input');
    await type(field, 'тра');
    await waitUntil(() => order(dial) === '4');
    await press('Enter', { on: field });
    await waitUntilCurrent(dial, 'Трамвай 5');
    await waitUntil(() => order(dial) === '1234567');
    expect(focusedRow(dial)).to.equal('4');
    await press('/');
    await waitUntil(() => has(dial, '.find'));
    await press('Escape', { on: find(dial, '.find input') });
    await waitUntil(() => !has(dial, '.find'));
    expect(focusedRow(dial)).to.equal('4');
  });

  it('says when nothing matches, and moves down to the rows that match', async () => {
    const dial = mountDial(stubServices());
    await waitForLazyParts(dial);
    await click(dial, 'Search the line-up');
    const field = () => find(dial, '.find input');
    await waitUntil(() => has(dial, '.find'));
    await type(field(), 'zebra');
    await waitUntil(() => text(dial).includes('No channels found'));
    await waitUntil(() => has(dial, '.add-feed input'));
    const ways = [...(dial.shadowRoot?.querySelectorAll<HTMLElement>('.empty button') ?? [])];
    ways.find((way) => way.textContent === 'Add a feed by its address')?.click();
    expect(dial.shadowRoot?.activeElement).to.equal(find(dial, '.add-feed input'));
    await type(field(), 'o');
    await waitUntil(() => order(dial) === '126');
    await press('ArrowDown', { on: field() });
    expect(focusedRow(dial)).to.equal('1');
  });
});

describe('messages about the line-up', () => {
  it('show a hint once, until the user dismisses it or makes the first change', async () => {
    const KEY = 'channel-changer.dial-hint';
    localStorage.removeItem(KEY);
    const dial = mountDial(stubServices());
    expect(has(dial, '.hint')).to.equal(true);
    await click(dial, 'Close this hint');
    await waitUntil(() => !has(dial, '.hint'));
    unmountDial();
    expect(has(mountDial(stubServices()), '.hint')).to.equal(false);
    unmountDial();
    localStorage.removeItem(KEY);
    const services = stubServices();
    const other = mountDial(services);
    lineupActions(services.dataClient).follow('3', false);
    await waitUntil(() => !has(other, '.hint'));
    services.dataClient.undo();
    expect(localStorage.getItem(KEY)).to.equal('seen');
  });

  it('say when the line-up was stored while no server can be reached, without moving a row', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    const { lineup, connection } = services.signals;
    const topOf = (selector: string) => find(dial, selector).getBoundingClientRect().top;
    const rowOffset = () => topOf('[data-row="5"]') - topOf('.dial-lineup');
    const before = rowOffset();
    const state = lineup.get();
    if (state.type === 'loaded') lineup.set({ ...state, cachedAt: Date.now() });
    connection.set('unreachable');
    await waitUntil(() => text(dial).includes('Saved on this device'));
    expect(rowOffset()).to.equal(before);
    connection.set('online');
    await waitUntil(() => !text(dial).includes('Saved on this device'));
  });

  it('report a merge, with undo', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    const { merged } = services.signals;
    let undoneAction = '';
    const merge = (what: string) => () => {
      undoneAction = what;
      merged.set(null);
    };
    merged.set({ undo: merge('undo'), dismiss: merge('note') });
    await waitUntil(() => announcement(dial).startsWith('Changes from another device'));
    await click(dial, 'OK');
    expect(undoneAction).to.equal('note');
    await waitUntil(() => !find(dial, '.dial-lineup').textContent?.includes('another device'));
  });

  it('mark the row that could not be saved, and retry', async () => {
    const services = stubServices();
    const dial = mountDial(services);
    const { saving } = services.signals;
    lineupActions(services.dataClient).mute('4', 0);
    saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => text(dial).includes('1 change waiting'));
    lineupActions(services.dataClient).mute('5', 0);
    saving.set({ type: 'waiting', count: 2 });
    await waitUntil(() => text(dial).includes('2 changes waiting'));
    expect(has(dial, '.row-retry')).to.equal(false);
    saving.set({ type: 'rejected', changeType: 'lineup', status: 422, discard() {} });
    await waitUntil(() => find(dial, '[data-row="4"]').textContent?.includes('Not saved'));
    expect(text(dial)).to.contain('Your line-up is not saved. The server did not accept this.');
    expect(muted(dial)).to.equal('45');
    expect(find(dial, '[data-row="1"]').textContent).not.to.contain('Not saved');
    await click(dial, 'Трамвай 5: not saved, retry');
    expect(services.calls).to.include('refresh');
    saving.set({ type: 'rejected', changeType: 'star', status: 404, discard() {} });
    await waitUntil(() => !find(dial, '[data-row="4"]').textContent?.includes('Not saved'), 'the line-up itself is saved');
  });

  it('undo one action after another', async () => {
    const dial = mountDial(stubServices());
    await press('m');
    await press('2');
    await press('Enter');
    await press(' ');
    await waitUntil(() => order(dial) === '134567' && muted(dial) === '1');
    await click(dial, 'Undo');
    await waitUntil(() => order(dial) === '1234567');
    await click(dial, 'Undo');
    await waitUntil(() => muted(dial) === '');
  });
});

describe('a line-up of hundreds of channels', () => {
  const many = () => {
    const services = stubServices({
      network: Array.from({ length: 400 }, (_, at) => channel(`c${at + 1}`, `Channel ${at + 1}`)),
    });
    return { services, dial: mountDial(services) };
  };
  const renderedRows = (dial: Element) => dial.shadowRoot?.querySelectorAll('[data-row]').length ?? 0;

  it('renders only the rows near the viewport, each with its position', async () => {
    const { dial } = many();
    await waitUntil(() => renderedRows(dial) > 5 && renderedRows(dial) < 80);
    const last = () => find(dial, '[data-row="c400"]');
    const { height } = find(dial, '.rows').getBoundingClientRect();
    expect(height).to.be.within(400 * 60, 400 * 60 + 4);
    window.scrollTo(0, 400 * 60);
    await waitUntil(() => has(dial, '[data-row="c400"]'));
    expect(last().getAttribute('aria-posinset')).to.equal('400');
    expect(last().getAttribute('aria-setsize')).to.equal('400');
    expect(renderedRows(dial)).to.be.below(80);
    window.scrollTo(0, 0);
  });

  it('moves by keyboard to a row that is not rendered, and keeps the focus on a row that scrolls out of view', async () => {
    const { dial } = many();
    await press('k');
    await waitUntil(() => focusedRow(dial) === 'c400');
    expect(currentTitle(dial)).to.equal('Channel 400');
    window.scrollTo(0, 0);
    await waitUntil(() => has(dial, '[data-row="c1"]'));
    expect(focusedRow(dial)).to.equal('c400');
    await pressOnFocused(dial, 'ArrowUp', { altKey: true });
    await waitUntil(() => announcement(dial) === 'Channel 400 moved to 399 of 400');
    expect(focusedRow(dial)).to.equal('c400');
  });
});
