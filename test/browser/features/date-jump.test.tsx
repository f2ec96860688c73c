// Jump to a date: the date picker of a channel.

import { expect, waitUntil } from '@open-wc/testing';
import { mountChannel as stand } from './channel-fixture.ts';
import { loaded, post, type ReadingServices, readingServices, stubList } from './reading-services.ts';

/** Returns a post at noon of each given day of March 2024, in the order of the arguments, the newest first. */
const march = (...days: readonly number[]) => days.map((day) => post(day, { date: new Date(2024, 2, day, 12).getTime() / 1000 }));
const endOf = (day: number): number => new Date(2024, 2, day + 1).getTime() / 1000 - 1;
const postRequest = (services: ReadingServices): string | undefined => services.calls.find((call) => call.startsWith('posts'));
const topOf = (root: ShadowRoot, key: string): number =>
  root.querySelector(`[data-key="${key}"]`)?.getBoundingClientRect().top ?? -1;

async function openSheet(root: ShadowRoot): Promise<HTMLInputElement> {
  root.querySelector<HTMLElement>('[aria-label="Go to a date"]')?.click();
  await waitUntil(() => root.querySelector('dialog[open] input[type=date]') !== null);
  const field = root.querySelector<HTMLInputElement>('dialog input[type=date]');
  if (field === null) throw new Error('no field');
  return field;
}

describe('date jump', () => {
  it('accepts a day up to today, and navigates to its own URL', async () => {
    const services = readingServices(stubList(loaded(march(20, 10))));
    const root = stand(services);
    const field = await openSheet(root);
    const now = new Date();
    const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
    expect(field.max).to.equal(today);
    expect(field.value).to.equal(today);
    expect(field.labels?.[0]?.textContent).to.not.equal('');
    field.value = '2024-03-12';
    root.querySelector<HTMLElement>('dialog [type=submit]')?.click();
    await waitUntil(() => services.calls.includes('navigate /channel/u1?date=2024-03-12'));
    await waitUntil(() => root.querySelector('dialog') === null);
  });
  it('opens next to its button in a wide window', async () => {
    const root = stand(readingServices(stubList(loaded(march(20, 10)))));
    await openSheet(root);
    const button = root.querySelector('[aria-label="Go to a date"]')?.getBoundingClientRect();
    const sheet = root.querySelector('dialog')?.getBoundingClientRect();
    expect(window.innerWidth).to.be.at.least(700);
    expect(Math.abs((sheet?.right ?? 0) - (button?.left ?? 0))).to.be.below(2);
  });
  it('does not navigate while no day is chosen', async () => {
    const services = readingServices(stubList(loaded(march(20, 10))));
    const root = stand(services);
    const field = await openSheet(root);
    field.value = '';
    root.querySelector<HTMLElement>('dialog [type=submit]')?.click();
    expect(services.calls.filter((call) => call.startsWith('navigate'))).to.deep.equal([]);
    expect(root.querySelector('dialog[open]')).not.to.equal(null);
  });
  it('keeps the media filter', async () => {
    const services = readingServices(stubList(loaded(march(20, 10))));
    const root = stand(services, { media: '1' });
    const field = await openSheet(root);
    field.value = '2024-03-12';
    root.querySelector<HTMLElement>('dialog [type=submit]')?.click();
    await waitUntil(() => services.calls.includes('navigate /channel/u1?media=1&date=2024-03-12'));
  });
  it('scrolls the newest post of the day into view, below its heading, with a link to the newest post', async () => {
    const services = readingServices(
      stubList(loaded(march(28, 26, 24, 22, 20, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3), { newer: 'idle' })),
    );
    const root = stand(services, { date: '2024-03-12' });
    expect(postRequest(services)).to.equal(`posts u1 {"date":${endOf(12)}}`);
    await waitUntil(() => window.scrollY > 0);
    expect(topOf(root, '1/12')).to.be.within(44, 200);
    expect(root.querySelector('[data-key="1/12"] .day')?.getBoundingClientRect().top).to.be.within(0, 180);
    expect(root.querySelector('.float a')?.getAttribute('href')).to.equal('/channel/u1');
  });
  it('scrolls the nearest earlier post into view when the day has none', async () => {
    const root = stand(readingServices(stubList(loaded(march(28, 26, 24, 22, 20, 12, 11, 10, 9, 8, 7, 6)))), {
      date: '2024-03-15',
    });
    await waitUntil(() => window.scrollY > 0);
    expect(topOf(root, '1/12')).to.be.within(44, 200);
  });
  it('scrolls the oldest post into view when the day is before all posts', async () => {
    const root = stand(readingServices(stubList(loaded(march(28, 26, 24, 22, 20, 12)))), { date: '2023-01-01' });
    await waitUntil(() => window.scrollY > 0);
    expect(topOf(root, '1/12')).to.be.within(44, window.innerHeight);
  });
  it('ignores an invalid date', () => {
    const services = readingServices(stubList(loaded(march(20))));
    stand(services, { date: '2024-99-99' });
    expect(postRequest(services)).to.equal('posts u1 {}');
  });
  it('says that a channel without posts has none', () => {
    const root = stand(readingServices(stubList(loaded([]))), { date: '2024-03-12' });
    expect(root.textContent).to.contain('No posts yet');
  });
});
