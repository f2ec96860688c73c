// Mini player: background playback of sounds after their page is left.

import { expect, waitUntil } from '@open-wc/testing';
import { createRoot } from 'react-dom/client';
import '../../../elements/changer-feed.ts';
import '../../../elements/changer-layout.ts';
import type { Media } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import type { BackgroundAudio } from '../../../src/components/media/background-audio.ts';
import { pauseOtherPlayers } from '../../../src/components/media/exclusive-playback.ts';
import { useMiniPlayer } from '../../../src/features/layout/use-mini-player.ts';
import { createSignal, type WritableSignal } from '../../../src/lib/signal.ts';
import { closeDataClients } from '../data/data-client-fixture.ts';
import { lockDevice } from '../data/own-device.ts';
import { loaded, post, readingServices, stubList } from './reading-services.ts';

const RATE = 8000;
const SECONDS = 20;

/** Returns a silent WAV file of twenty seconds with 8 bits per sample. */
function silence(): string {
  const bytes = new Uint8Array(44 + RATE * SECONDS).fill(128);
  const view = new DataView(bytes.buffer);
  const write = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  write(0, 'RIFF');
  view.setUint32(4, 36 + RATE * SECONDS, true);
  write(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, RATE, true);
  view.setUint32(28, RATE, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  write(36, 'data');
  view.setUint32(40, RATE * SECONDS, true);
  return URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }));
}

/** A layout whose mini player fails to load. */
const WithoutPlayer = ({ audioSignal }: { readonly audioSignal: WritableSignal<BackgroundAudio | null> }) =>
  useMiniPlayer(audioSignal, () => Promise.reject(new Error('No such chunk'))) && null;

let layout: ChangerElement | null = null;
afterEach(async () => {
  layout?.remove();
  layout = null;
  history.replaceState(null, '');
  await closeDataClients();
});

/** Mounts the layout with a feed whose only post has a sound, as the app does. */
async function mount(embedded = false, type: 'audio' | 'voice' = 'audio') {
  const sound = createSignal<BackgroundAudio | null>(null);
  const item: Media = { type, messageId: 1, title: 'Tide tables', src: silence(), duration: SECONDS, mime: 'audio/wav' };
  const services = readingServices(stubList(loaded([post(40, { media: [item] })])), { embedded });
  const appServices = embedded ? services : { ...services, environment: { ...services.environment, backgroundSound: sound } };
  const frame = document.createElement('changer-layout');
  frame.services = appServices;
  const feed = document.createElement('changer-feed');
  feed.services = appServices;
  feed.params = {};
  frame.append(feed);
  document.body.append(frame);
  layout = frame;
  const own = () => feed.shadowRoot?.querySelector('audio');
  await waitUntil(() => own() != null, 'the sound is there');
  const audio = own() as HTMLAudioElement;
  if (embedded) audio.src = item.src ?? '';
  await audio.play();
  const player = () => frame.shadowRoot?.querySelector<HTMLElement>('.mini-player') ?? null;
  const button = (name: string) => player()?.querySelector<HTMLElement>(`button[aria-label="${name}"]`);
  return { audio, feed, frame, sound, player, button, own, appServices };
}

lockDevice();

describe('the mini player', () => {
  it('continues a sound without a gap after the user leaves its page, and can be paused, moved and closed', async () => {
    const { audio, feed, player, button, sound } = await mount();
    expect(player()).to.equal(null);
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    const at = audio.currentTime;
    await waitUntil(() => audio.currentTime > at, 'the sound continues to play');
    expect(audio.paused).to.equal(false);
    expect(player()?.getAttribute('aria-label')).to.equal('Tide tables');
    const slider = player()?.querySelector<HTMLInputElement>('[type=range]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(slider, '12');
    slider?.dispatchEvent(new Event('input', { bubbles: true }));
    await waitUntil(() => audio.currentTime >= 12, 'the position is changed');
    button('Pause')?.click();
    await waitUntil(() => button('Play') != null, 'the sound is paused');
    expect(audio.paused).to.equal(true);
    button('Play')?.click();
    await waitUntil(() => !audio.paused, 'the sound continues');
    button('Close')?.click();
    await waitUntil(() => player() === null, 'the player is closed');
    expect(audio.paused).to.equal(true);
    expect(audio.isConnected).to.equal(false);
    expect(sound.get()).to.equal(null);
  });

  it('returns the sound to its post when the user plays it there again', async () => {
    const { audio, feed, frame, own, player } = await mount();
    audio.currentTime = 7;
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    frame.append(feed);
    await waitUntil(() => own() != null, 'the post is there again');
    const again = own() as HTMLAudioElement;
    await again.play();
    await waitUntil(() => player() === null, 'the player has gone');
    expect(again.currentTime).to.be.at.least(7);
    expect(audio.paused).to.equal(true);
  });

  it('does not open for a paused sound, and closes with its sound and with the frame', async () => {
    const { audio, feed, frame, player, sound } = await mount();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    audio.currentTime = SECONDS - 0.05;
    await waitUntil(() => player() === null, 'the player closes at the end');
    const second = await mount();
    second.audio.pause();
    second.feed.remove();
    await waitUntil(() => second.own() == null || !second.feed.isConnected);
    expect(second.sound.get()).to.equal(null);
    frame.remove();
    expect(sound.get()).to.equal(null);
  });

  it('stops when its frame is removed', async () => {
    const { audio, feed, frame, player, sound } = await mount();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    frame.remove();
    await waitUntil(() => audio.paused, 'the sound is paused');
    expect(sound.get()).to.equal(null);
  });

  it('does not open when the frame is removed while the post plays: the sound stops', async () => {
    const { audio, frame, sound } = await mount();
    frame.remove();
    await waitUntil(() => audio.paused, 'the sound is paused');
    expect(audio.isConnected).to.equal(false);
    expect(sound.get()).to.equal(null);
  });

  it('stops when the frame is removed before it opens', async () => {
    const { audio, feed, frame, player, sound } = await mount();
    feed.remove();
    await Promise.resolve();
    expect(sound.get()?.audio).to.equal(audio);
    expect(player()).to.equal(null);
    frame.remove();
    await waitUntil(() => audio.paused, 'the sound is paused');
    expect(audio.isConnected).to.equal(false);
    expect(sound.get()).to.equal(null);
  });

  it('stops other sounds when it plays', async () => {
    const { audio, feed, player, button } = await mount();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    const other = new Audio(silence());
    await other.play();
    pauseOtherPlayers({ currentTarget: other });
    await waitUntil(() => button('Play') != null, 'the sound is paused');
    expect(audio.paused).to.equal(true);
    button('Play')?.click();
    await waitUntil(() => !audio.paused, 'the sound continues');
    await waitUntil(() => other.paused, 'the other is silent');
    expect(other.ended).to.equal(false);
  });

  it('closes when its sound fails', async () => {
    const { audio, feed, player, sound } = await mount();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    audio.src = URL.createObjectURL(new Blob(['none'], { type: 'audio/wav' }));
    await waitUntil(() => player() === null, 'the player is closed');
    expect(sound.get()).to.equal(null);
    expect(audio.isConnected).to.equal(false);
  });

  it('does not open for a sound that ended before it was loaded', async () => {
    const { audio, feed, player, sound } = await mount();
    feed.remove();
    await Promise.resolve();
    expect(sound.get()?.audio).to.equal(audio);
    Object.defineProperty(audio, 'ended', { value: true });
    await waitUntil(() => sound.get() === null, 'the player is closed');
    expect(audio.currentTime).to.be.below(SECONDS);
    await waitUntil(() => player() === null, 'the player has gone');
  });

  it('moves the focus to the page when it closes, by its button and by itself', async () => {
    for (const close of ['button', 'end']) {
      const { audio, feed, frame, player, button } = await mount();
      const main = frame.shadowRoot?.querySelector('main');
      feed.remove();
      await waitUntil(() => player() !== null, 'the player is there');
      button('Close')?.focus();
      if (close === 'button') button('Close')?.click();
      else audio.currentTime = SECONDS - 0.05;
      await waitUntil(() => player() === null, 'the player is closed');
      await waitUntil(() => frame.shadowRoot?.activeElement === main, `the page has the focus after ${close}`);
      (main as HTMLElement | null)?.blur();
      expect(main?.getAttribute('tabindex'), 'the skip link can focus it again').to.equal('-1');
      frame.remove();
    }
  });

  it('returns the playback speed to the post', async () => {
    const { audio, feed, frame, own, player } = await mount(false, 'voice');
    const speed = (name: string) => feed.shadowRoot?.querySelector<HTMLElement>(`.sound-speed[aria-label="Speed: ${name}"]`);
    speed('1')?.click();
    await waitUntil(() => audio.playbackRate === 1.5, 'the speed is 1.5');
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    frame.append(feed);
    await waitUntil(() => own() != null, 'the post is there again');
    const again = own() as HTMLAudioElement;
    await again.play();
    await waitUntil(() => player() === null, 'the player has gone');
    expect(again.playbackRate).to.equal(1.5);
    await waitUntil(() => speed('1.5') != null, 'the button says so');
  });

  it('keeps toasts above itself and the connection status', async () => {
    const { feed, frame, player } = await mount();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    const line = document.createElement('p');
    line.className = 'connection';
    line.textContent = 'No connection';
    const bottom = frame.shadowRoot?.querySelector('.bottom');
    bottom?.append(line);
    const probe = document.createElement('div');
    probe.style.cssText = 'position: fixed; inset-block-end: var(--below)';
    player()?.closest('.frame')?.append(probe);
    const top = () => player()?.getBoundingClientRect().top ?? 0;
    await waitUntil(() => (player()?.getBoundingClientRect().bottom ?? 0) <= line.getBoundingClientRect().top + 1);
    expect(probe.getBoundingClientRect().bottom).to.be.at.most(top());
  });

  it('stops the sound when the player cannot be loaded', async () => {
    const sound = createSignal<BackgroundAudio | null>(null);
    const container = document.body.appendChild(document.createElement('div'));
    const root = createRoot(container);
    root.render(<WithoutPlayer audioSignal={sound} />);
    sound.set({ audio: new Audio(), title: 'Tide tables' });
    await waitUntil(() => sound.get() === null, 'the sound is stopped');
    sound.set({ audio: new Audio(), title: 'Tide tables' });
    await waitUntil(() => sound.get() === null, 'and so is the next');
    root.unmount();
    container.remove();
  });

  it('does not exist on a host page, where a sound ends with its element', async () => {
    const { audio, feed } = await mount(true);
    feed.remove();
    await waitUntil(() => audio.paused, 'the sound is paused');
    expect(audio.isConnected).to.equal(false);
  });
});
