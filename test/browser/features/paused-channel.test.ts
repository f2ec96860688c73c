import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-dial.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { stubServices } from './dial-services.ts';
import { GAZETTE, loaded, readingServices, stubList } from './reading-services.ts';

/** 3 March 2025, noon UTC. */
const SINCE = Date.UTC(2025, 2, 3, 12) / 1000;
const PAUSED = { state: 'paused', since: SINCE } as const;

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
});

function mount(tag: 'changer-channel' | 'changer-dial', services: ChangerElement['services']): ShadowRoot {
  const element = document.createElement(tag);
  mounted = element;
  element.services = services;
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

describe('a paused channel', () => {
  it('shows on its page since when it is paused, if that is known', () => {
    const details = (more: Partial<Channel>) =>
      mount('changer-channel', readingServices(stubList(loaded([])), { found: { ...GAZETTE, ...more } })).querySelector(
        '.channel-facts',
      )?.textContent;
    expect(details(PAUSED)).to.match(/paused since .*2025/);
    mounted?.remove();
    expect(details({ state: 'paused' }))
      .to.contain('paused')
      .and.not.contain('since');
  });
  it('shows in its row of the dial since when it is paused', async () => {
    const services = stubServices();
    const { lineup } = services.signals;
    const rows = lineup.get();
    if (rows.type !== 'loaded') throw new Error('no line-up');
    lineup.set({ ...rows, value: rows.value.map((row) => ({ ...row, channel: { ...row.channel, ...PAUSED } })) });
    const root = mount('changer-dial', services);
    await waitUntil(() => root.querySelector('.row-about')?.textContent?.includes('Paused since Mar 2025'));
  });
});
