import { expect, waitUntil } from '@open-wc/testing';
import '../../elements/changer-feed.ts';
import '../../elements/changer-layout.ts';
import type { Media } from '../../contract/post.ts';
import type { ChangerElement } from '../../elements/define.ts';
import { createCell } from '../../src/readable.ts';
import type { BackgroundSound } from '../../src/ui/media/background-sound.ts';
import { endAreas } from './area.ts';
import { ownDevice } from './own-device.ts';
import { loaded, post, reading, stubList } from './reading-services.ts';

const RATE = 8000;
const SECONDS = 20;

/** A silent WAV file of twenty seconds, 8 bits a sample. */
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

let layout: ChangerElement | null = null;
afterEach(async () => {
  layout?.remove();
  layout = null;
  history.replaceState(null, '');
  await endAreas();
});

/** The frame with a feed whose only post has a sound, as the app has them. */
async function stand(embedded = false) {
  const sound = createCell<BackgroundSound | null>(null);
  const item: Media = { type: 'audio', messageId: 1, title: 'Tide tables', src: silence(), duration: SECONDS, mime: 'audio/wav' };
  const services = reading(stubList(loaded([post(40, { media: [item] })])), { embedded });
  const given = embedded ? services : { ...services, site: { ...services.site, sound } };
  const frame = document.createElement('changer-layout');
  frame.services = given;
  const feed = document.createElement('changer-feed');
  feed.services = given;
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
  return { audio, feed, frame, sound, player, button, own, given };
}

ownDevice();

describe('the mini player', () => {
  it('plays on, without a gap, when the page of a sound is left, and can be paused, moved and closed', async () => {
    const { audio, feed, player, button, sound } = await stand();
    expect(player()).to.equal(null);
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    const at = audio.currentTime;
    await waitUntil(() => audio.currentTime > at, 'it plays on');
    expect(audio.paused).to.equal(false);
    expect(player()?.getAttribute('aria-label')).to.equal('Tide tables');
    const place = player()?.querySelector<HTMLInputElement>('[type=range]');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(place, '12');
    place?.dispatchEvent(new Event('input', { bubbles: true }));
    await waitUntil(() => audio.currentTime >= 12, 'it is moved');
    button('Pause')?.click();
    await waitUntil(() => button('Play') != null, 'it is paused');
    expect(audio.paused).to.equal(true);
    button('Play')?.click();
    await waitUntil(() => !audio.paused, 'it goes on');
    button('Close')?.click();
    await waitUntil(() => player() === null, 'it is closed');
    expect(audio.paused).to.equal(true);
    expect(audio.isConnected).to.equal(false);
    expect(sound.get()).to.equal(null);
  });

  it('hands the sound back to its post where that is played again', async () => {
    const { audio, feed, frame, own, player } = await stand();
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

  it('does not come for a sound that was paused, and ends with its sound and with the frame', async () => {
    const { audio, feed, frame, player, sound } = await stand();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    audio.currentTime = SECONDS - 0.05;
    await waitUntil(() => player() === null, 'it has ended');
    const second = await stand();
    second.audio.pause();
    second.feed.remove();
    await waitUntil(() => second.own() == null || !second.feed.isConnected);
    expect(second.sound.get()).to.equal(null);
    frame.remove();
    expect(sound.get()).to.equal(null);
  });

  it('is stopped with the frame that shows it', async () => {
    const { audio, feed, frame, player, sound } = await stand();
    feed.remove();
    await waitUntil(() => player() !== null, 'the player is there');
    frame.remove();
    await waitUntil(() => audio.paused, 'it is silent');
    expect(sound.get()).to.equal(null);
  });

  it('is not there on a foreign page, where a sound ends with its tag', async () => {
    const { audio, feed } = await stand(true);
    feed.remove();
    await waitUntil(() => audio.paused, 'it is silent');
    expect(audio.isConnected).to.equal(false);
  });
});
