// Failed images: the fallback of a picture that does not load.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import type { Channel } from '../../../contract/channel.ts';
import type { Media } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { Loadable } from '../../../src/data/model/types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import { GAZETTE, loaded, post, readingServices, stubList } from '../features/reading-services.ts';

let mounted: ChangerElement | null = null;
afterEach(() => {
  mounted?.remove();
  mounted = null;
});

const GONE = { src: '/media/gone.jpg', width: 640, height: 640 };
const PICTURED: Channel = { ...GAZETTE, picture: GONE };
const found = createSignal<Loadable<Channel>>({ type: 'loading' });

/** Shows a channel whose picture does not load, and a post with these files. */
function show(...media: Media[]): ShadowRoot {
  const list = loaded([post(40, { media })], { channels: new Map([[PICTURED.id, PICTURED]]) });
  const element = document.createElement('changer-channel');
  mounted = element;
  found.set({ type: 'loaded', value: PICTURED, cachedAt: null });
  element.services = readingServices(stubList(list), { channel: () => found });
  element.params = { post: '40' };
  element.setAttribute('channel-id', 'u1');
  document.body.append(element);
  if (element.shadowRoot === null) throw new Error('no shadow root');
  return element.shadowRoot;
}

describe('a picture that cannot be loaded', () => {
  it('is replaced by the first letter of the channel, in the page head and in each post', async () => {
    const root = show();
    const avatars = () => [...root.querySelectorAll('.avatar')].map((avatar) => avatar.textContent);
    await waitUntil(() => avatars().join() === 'H,H');
    expect(root.querySelector('.avatar img')).to.equal(null);
  });
  it('is requested again when the channel gets another picture', async () => {
    const root = show();
    await waitUntil(() => root.querySelector('.channel-head .avatar')?.textContent === 'H');
    const src = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>";
    found.set({ type: 'loaded', value: { ...PICTURED, picture: { ...GONE, src } }, cachedAt: null });
    await waitUntil(() => root.querySelector('.channel-head .avatar img')?.getAttribute('src') === src);
  });
  it('is requested again when the device is back online', async () => {
    const root = show();
    const picture = () => root.querySelector('.channel-head .avatar img');
    await waitUntil(() => root.querySelector('.channel-head .avatar')?.textContent === 'H');
    let tries = 0;
    new MutationObserver(() => {
      if (picture() !== null) tries++;
    }).observe(root, { childList: true, subtree: true });
    for (const time of [1, 2]) {
      window.dispatchEvent(new Event('online'));
      await waitUntil(() => tries === time && picture() === null);
    }
  });
  it('is replaced by the emoji of a sticker', async () => {
    const root = show({ type: 'sticker', messageId: 40, ...GONE, mime: 'image/webp', emoji: '🌊' });
    await waitUntil(() => root.querySelector('.sticker.emoji')?.textContent === '🌊');
    expect(root.querySelector('.sticker img')).to.equal(null);
  });
  it('shows no text under the play button of a video, and keeps the name of the video', async () => {
    const video = (messageId: number): Media => ({
      ...{ type: 'video', messageId, src: '/media/gone.mp4', width: 640, height: 640, poster: GONE },
    });
    const root = show(video(40), video(41));
    await waitUntil(() => root.querySelectorAll('.tile .lost').length === 2);
    const [first] = root.querySelectorAll('.tile .lost');
    expect(first?.textContent).to.equal('');
    expect(first?.getAttribute('aria-label')).to.match(/^Video 1 of 2/);
  });
});
