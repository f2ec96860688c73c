// Focus management in the feed.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-feed.ts';
import type { Preset } from '../../../contract/lineup.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { PostListState } from '../../../src/data/model/types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { loaded, posts, type ReadingServices, readingServices, stubList } from './reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
  window.scrollTo(0, 0);
});

function mount(tag: 'changer-feed' | 'changer-channel', services: ReadingServices, params = {}): ShadowRoot {
  mounted = document.createElement(tag);
  mounted.services = services;
  mounted.params = params;
  mounted.setAttribute('channel-id', 'u1');
  document.body.append(mounted);
  if (mounted.shadowRoot === null) throw new Error('no shadow root');
  return mounted.shadowRoot;
}
const control = (root: ShadowRoot, name: string): HTMLElement | undefined =>
  [...root.querySelectorAll<HTMLElement>('button, a')].find(
    (each) => (each.getAttribute('aria-label') ?? each.textContent?.trim()) === name,
  );
async function press(root: ShadowRoot, name: string): Promise<void> {
  await waitUntil(() => control(root, name), `nothing is called ${name}`);
  control(root, name)?.focus();
  control(root, name)?.click();
}
const focused = (root: ShadowRoot): string | undefined => {
  const { dataset, localName } = (root.activeElement ?? document.body) as HTMLElement;
  return dataset.key ?? localName;
};

const FAILED: PostListState = { type: 'failed', message: 'Busy', status: 503 };
const MORNING: Preset = { id: 'm', name: 'Morning', channelIds: ['2', '5', '9'] };

describe('the focus', () => {
  for (const tag of ['changer-feed', 'changer-channel'] as const)
    it(`moves to the first post of ${tag} when a retry succeeds`, async () => {
      const list = stubList(FAILED);
      const root = mount(tag, readingServices({ ...list, refresh: async () => list.state.set(loaded(posts(40, 36))) }));
      await press(root, 'Try again');
      await waitUntil(() => focused(root) === '1/40');
    });

  it('moves to the last post when more posts load after a failure', async () => {
    const list = stubList(loaded(posts(40, 38), { older: 'failed' }));
    const older = async () => list.state.set(loaded(posts(40, 38), { older: 'loading' }));
    const root = mount('changer-feed', readingServices({ ...list, loadOlder: older }));
    await press(root, 'Could not load more. Try again');
    await waitUntil(() => focused(root) === '1/38');
  });

  it('stays clear of the message at the bottom, wherever it moves', async () => {
    const root = mount('changer-feed', readingServices(stubList(loaded(posts(40, 10)))));
    await waitUntil(() => root.querySelectorAll('article').length > 20);
    const button = root.querySelector<HTMLElement>('[data-key="1/30"] button');
    if (button === null) throw new Error('no button');
    window.scrollBy({ top: button.getBoundingClientRect().bottom - window.innerHeight + 10, behavior: 'instant' });
    expect(button.getBoundingClientRect().bottom).to.be.closeTo(window.innerHeight - 10, 1);
    button.focus();
    expect(button.getBoundingClientRect().bottom).to.be.at.most(window.innerHeight - 64);
  });

  it('moves to the heading when all posts are marked as read, and when that is undone', async () => {
    const services = readingServices(stubList(loaded(posts(40, 36))));
    const lineup = services.dataClient.lineup.get();
    if (lineup.type !== 'loaded') throw new Error('no line-up');
    const rowsSignal = createSignal(lineup);
    const unread = (is: boolean) =>
      rowsSignal.set({ ...lineup, value: lineup.value.map((row) => ({ ...row, unread: is ? 2 : 0 })) });
    unread(true);
    const markAllRead = () => {
      unread(false);
      return () => unread(true);
    };
    const root = mount('changer-feed', { ...services, dataClient: { ...services.dataClient, lineup: rowsSignal, markAllRead } });
    await press(root, 'Mark all as read');
    await waitUntil(() => focused(root) === 'h1');
    await press(root, 'Undo');
    await waitUntil(() => focused(root) === 'h1');
    expect(control(root, 'Mark all as read')).to.not.equal(undefined);
  });
});

describe('Control with Home and End', () => {
  it('moves out of the feed, to the previous or next element in the Tab order', async () => {
    const root = mount('changer-feed', readingServices(stubList(loaded(posts(40, 36)))));
    const after = document.body.appendChild(document.createElement('button'));
    const key = (name: string) =>
      root.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, ctrlKey: true, bubbles: true, composed: true, cancelable: true }),
      );
    const enter = () => root.querySelector<HTMLElement>('[data-key="1/38"] button')?.focus();
    try {
      await waitUntil(() => {
        enter();
        key('Home');
        return root.activeElement?.matches('.chip:last-of-type');
      });
      enter();
      key('End');
      expect(document.activeElement).to.equal(after);
    } finally {
      after.remove();
    }
  });
  it('keeps its browser default when no element follows', async () => {
    const root = mount('changer-feed', readingServices(stubList(loaded(posts(40, 36)))));
    await waitUntil(() => root.querySelector('article'));
    root.querySelector('article')?.focus();
    const end = new KeyboardEvent('keydown', { key: 'End', ctrlKey: true, bubbles: true, composed: true, cancelable: true });
    root.activeElement?.dispatchEvent(end);
    expect(end.defaultPrevented).to.equal(false);
  });
});

describe('marking all as read', () => {
  it('applies to the shown channels, names the preset, and can be undone', async () => {
    const services = readingServices(stubList(loaded(posts(40, 36))), { presets: createSignal<readonly Preset[]>([MORNING]) });
    const root = mount('changer-feed', services, { preset: 'm' });
    await press(root, 'Mark all as read');
    expect(services.calls.at(-1)).to.equal('all read 2,5');
    await waitUntil(() => root.querySelector('.toast')?.textContent?.startsWith('All posts of Morning are marked as read'));
    services.dataClient.applyLineupOperation({ action: 'unfollow', channelId: '2' }, (contents) => ({ ...contents }));
    await press(root, 'Undo');
    expect(services.calls.at(-1)).to.equal('all read taken back');
    expect(services.calls).not.to.include('undo');
  });
});
