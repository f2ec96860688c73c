// Channel bar: the sticky header of a channel page.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { AppServices } from '../../../src/context/services.ts';
import { loaded, posts, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
});

function mount(customize: (services: AppServices) => Partial<AppServices> = () => ({})): ShadowRoot {
  const services = readingServices(stubList(loaded(posts(40, 11))));
  const element = document.createElement('changer-channel');
  mounted = element;
  element.services = { ...services, ...customize(services) };
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

const backTo =
  (calls: string[]) =>
  ({ environment: site }: AppServices): Partial<AppServices> => ({
    environment: { ...site, back: (otherwise) => calls.push(otherwise) },
  });
const linksBack = (root: ShadowRoot): HTMLElement[] => [...root.querySelectorAll<HTMLElement>('[aria-label=Back]')];
const isVisible = (element: Element | null | undefined): boolean =>
  element?.checkVisibility({ visibilityProperty: true }) ?? false;

describe('the bar of a channel', () => {
  it('has a back button in the head, and links to all channels when there is no previous page', () => {
    const calls: string[] = [];
    const root = mount(backTo(calls));
    const [first] = linksBack(root).filter((link) => root.querySelector('.channel-head')?.contains(link));
    expect(isVisible(first)).to.equal(true);
    expect(first?.getAttribute('href')).to.equal('/changer');
    first?.click();
    expect(calls).to.deep.equal(['/changer']);
  });
  it('shows the name after the head has scrolled out of view, with the back button and the search', async () => {
    const calls: string[] = [];
    const root = mount(backTo(calls));
    const bar = root.querySelector('.channel-bar > div');
    expect(isVisible(bar)).to.equal(false);
    window.scrollTo(0, 1500);
    await waitUntil(() => isVisible(bar));
    expect(bar?.getBoundingClientRect().top).to.equal(0);
    expect(bar?.querySelector('bdi')?.textContent).to.equal('Harbour Gazette');
    bar?.querySelector<HTMLElement>('[aria-label=Back]')?.click();
    expect(calls).to.deep.equal(['/changer']);
    bar?.querySelector<HTMLElement>('[aria-label="Search in this channel"]')?.click();
    const field = root.querySelector('input[type=search]');
    expect(root.activeElement).to.equal(field);
    await waitUntil(() => (field?.getBoundingClientRect().top ?? -1) >= 0);
  });
  it('has no back button when Telegram has one, or on a host page', () => {
    const telegram = mount(({ host }) => ({ host: { ...host, kind: 'telegram', supports: () => true } }));
    expect(linksBack(telegram)).to.deep.equal([]);
    mounted?.remove();
    const embedded = mount(({ environment }) => ({ environment: { ...environment, embedded: true } }));
    expect(linksBack(embedded)).to.deep.equal([]);
    expect(embedded.querySelector('.channel-bar')).to.equal(null);
  });
});
