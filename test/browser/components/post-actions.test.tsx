// Actions below a post, replies, long posts and sounds.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-channel.ts';
import '../../../elements/changer-feed.ts';
import type { Media } from '../../../contract/post.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import { toPeaks } from '../../../src/components/media/waveform.ts';
import { closeDataClients, openMemoryDataClient } from '../data/data-client-fixture.ts';
import { FakeServer, makeChannel, makePost } from '../data/fake-server.ts';
import { loaded, post, posts, readingServices, stubList } from '../features/reading-services.ts';

let mounted: ChangerElement | null = null;
const { clipboard } = navigator;
before(loadAllChunks);
afterEach(async () => {
  mounted?.remove();
  mounted = null;
  await closeDataClients();
  window.scrollTo(0, 0);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: clipboard });
});

async function mount(...firstPosts: readonly ReturnType<typeof post>[]): Promise<ShadowRoot> {
  const element = document.createElement('changer-feed');
  mounted = element;
  element.services = readingServices(stubList(loaded(firstPosts)));
  document.body.append(element);
  const root = element.shadowRoot;
  if (root === null) throw new Error('no shadow root');
  await waitUntil(() => root.querySelectorAll('article').length === firstPosts.length);
  return root;
}

const article = (root: ShadowRoot, id: number): HTMLElement => {
  const found = root.querySelector<HTMLElement>(`[data-key="1/${id}"]`);
  if (found === null) throw new Error(`no post ${id}`);
  return found;
};
const named = (within: ParentNode, name: string): HTMLElement => {
  const found = within.querySelector<HTMLElement>(`[aria-label="${name}"]`);
  if (found === null) throw new Error(`no control called ${name}`);
  return found;
};
const stubClipboard = (writeText: (text: string) => Promise<void>): unknown =>
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });

describe('the actions below a post', () => {
  it('copy the link of the post and confirm it', async () => {
    const written: string[] = [];
    stubClipboard(async (text) => void written.push(text));
    const root = await mount(...posts(40, 38));
    named(article(root, 39), 'Copy link').click();
    await waitUntil(() => root.querySelector('.toast')?.textContent === 'Link copied');
    expect(written).to.deep.equal([`${location.origin}/channel/u1?post=39`]);
  });
  it('keep the message while the pointer is on it, and remove it later', async () => {
    const { setTimeout } = window;
    Reflect.set(window, 'setTimeout', (run: () => void, ms = 0) => setTimeout(run, ms === 7000 ? 100 : ms));
    try {
      stubClipboard(async () => {});
      const root = await mount(...posts(40, 38));
      named(article(root, 39), 'Copy link').click();
      const toast = () => root.querySelector('.toast');
      await waitUntil(() => toast() !== null);
      toast()?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, composed: true }));
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect(toast()).not.to.equal(null);
      toast()?.dispatchEvent(new PointerEvent('pointerout', { bubbles: true, composed: true }));
      await waitUntil(() => toast() === null);
    } finally {
      Reflect.set(window, 'setTimeout', setTimeout);
    }
  });
  it('show the link when it cannot be copied', async () => {
    stubClipboard(() => Promise.reject(new Error('forbidden')));
    const root = await mount(...posts(40, 38));
    named(article(root, 39), 'Copy link').click();
    await waitUntil(() => root.querySelector('.toast')?.textContent === `${location.origin}/channel/u1?post=39`);
  });
  it('fit in one row of 44 px targets at a width of 320 px', async () => {
    const root = await mount(post(40, { link: 'https://t.me/gazette/40' }));
    if (mounted !== null) mounted.style.inlineSize = '320px';
    const row = root.querySelector('.post-actions');
    const boxes = [...(row?.querySelectorAll('button, a') ?? [])].map((each) => each.getBoundingClientRect());
    expect(boxes.length).to.equal(5);
    for (const box of boxes) {
      expect(box.width).to.be.at.least(44);
      expect(box.height).to.be.at.least(44);
      expect(box.top).to.equal(boxes[0]?.top);
    }
    expect(row?.scrollWidth).to.be.at.most(320);
  });
});

describe('a reply', () => {
  const reply = { reply: { id: 20, excerpt: 'Post 20.' } };

  it('jumps to its post in the list, and back to the same scroll position', async () => {
    const root = await mount(post(40), post(39, reply), ...posts(38, 11));
    const link = article(root, 39).querySelector<HTMLElement>('.post-reply');
    link?.scrollIntoView({ block: 'center' });
    const before = link?.getBoundingClientRect().top ?? 0;
    link?.focus();
    link?.click();
    expect(root.activeElement).to.equal(article(root, 20));
    expect(article(root, 20).getBoundingClientRect().top).to.be.within(0, window.innerHeight / 2);
    await waitUntil(() => root.querySelector('.way-back'));
    const back = article(root, 20).querySelector<HTMLElement>('.way-back');
    expect(back?.textContent).to.equal('Back to the reply');
    back?.click();
    await waitUntil(() => root.querySelector('.way-back') === null);
    expect(root.activeElement).to.equal(link);
    expect(link?.getBoundingClientRect().top).to.be.closeTo(before, 1);
  });
  it('is a link to the page of the post when the list does not contain it, or when a modifier key is pressed', async () => {
    const root = await mount(post(40, reply), ...posts(39, 30));
    const link = article(root, 40).querySelector<HTMLAnchorElement>('.post-reply');
    expect(link?.getAttribute('href')).to.equal('/channel/u1?post=20');
    let prevented: boolean | null = null;
    root.addEventListener('click', (event) => {
      prevented = event.defaultPrevented;
      event.preventDefault();
    });
    link?.click();
    expect(prevented).to.equal(false);
  });
});

describe('a long post', () => {
  const long = `High water. ${'A line of it. '.repeat(120)}The lighthouse.`;
  async function search(q: string): Promise<HTMLElement> {
    const element = document.createElement('changer-channel');
    mounted = element;
    const server = new FakeServer();
    server.channels = [makeChannel('1', { username: 'u1' })];
    server.posts = [makePost('1', 40, { text: long })];
    element.services = { ...readingServices(stubList(loaded([]))), dataClient: openMemoryDataClient(server) };
    element.params = { q };
    element.setAttribute('channel-id', 'u1');
    document.body.append(element);
    await waitUntil(() => element.shadowRoot?.querySelector('article mark'), 'the text is found');
    const more = element.shadowRoot?.querySelector<HTMLElement>('article .more');
    if (!more) throw new Error('nothing is folded');
    return more;
  }
  it('expands by itself when the only search match is below the fold', async () => {
    const more = await search('lighthouse');
    expect(more.getAttribute('aria-expanded')).to.equal('true');
    more.click();
    await waitUntil(() => more.getAttribute('aria-expanded') === 'false');
  });
  it('stays collapsed when the search match is visible', async () => {
    expect((await search('water')).getAttribute('aria-expanded')).to.equal('false');
  });
  it('keeps its button in place when it is collapsed again', async () => {
    const root = await mount(post(40, { text: 'A line of it.\n\n'.repeat(120) }), ...posts(39, 20));
    const more = root.querySelector<HTMLElement>('.more');
    more?.click();
    await waitUntil(() => more?.getAttribute('aria-expanded') === 'true');
    more?.scrollIntoView({ block: 'center' });
    const { top } = more?.getBoundingClientRect() ?? { top: 0 };
    more?.click();
    await waitUntil(() => more?.getAttribute('aria-expanded') === 'false');
    expect(more?.getBoundingClientRect().top).to.be.closeTo(top, 2);
  });
});

/** Returns the URL of one second of a rising tone, in a format that every browser plays. */
function tone(): string {
  const rate = 8000;
  const bytes = new DataView(new ArrayBuffer(44 + rate * 2));
  const writeText = (at: number, text: string) => {
    for (const [index, letter] of [...text].entries()) bytes.setUint8(at + index, letter.charCodeAt(0));
  };
  writeText(0, 'RIFF');
  bytes.setUint32(4, 36 + rate * 2, true);
  writeText(8, 'WAVEfmt ');
  for (const [at, value] of [
    [16, 16],
    [24, rate],
    [28, rate * 2],
    [40, rate * 2],
  ] as const)
    bytes.setUint32(at, value, true);
  for (const [at, value] of [
    [20, 1],
    [22, 1],
    [32, 2],
    [34, 16],
  ] as const)
    bytes.setUint16(at, value, true);
  writeText(36, 'data');
  for (let at = 0; at < rate; at++) bytes.setInt16(44 + at * 2, Math.sin(at / 4) * 32_000 * (at / rate), true);
  return URL.createObjectURL(new Blob([bytes], { type: 'audio/wav' }));
}
const voice = (): Media => ({ type: 'voice', messageId: 1, src: tone(), duration: 1, size: 16_044, mime: 'audio/wav' });
/**
 * Dispatches the event that the browser dispatches on playback. The browser plays no sound before the first user gesture on the
 * page.
 */
const dispatchPlay = (audio: Element | undefined | null): unknown => audio?.dispatchEvent(new Event('play'));

describe('an audio file', () => {
  it('plays one at a time, with a button that names its action', async () => {
    const root = await mount(post(40, { media: [voice()] }), post(39, { media: [voice()] }));
    const [button] = root.querySelectorAll<HTMLElement>('.sound-play');
    const [first, second] = root.querySelectorAll('audio');
    const playbackCalls: string[] = [];
    for (const [name, audio] of Object.entries({ first, second }))
      Object.assign(audio ?? {}, {
        play: async () => void playbackCalls.push(`play ${name}`),
        pause: () => playbackCalls.push(`pause ${name}`),
      });
    expect(button?.getAttribute('aria-label')).to.equal('Play');
    button?.click();
    dispatchPlay(first);
    await waitUntil(() => button?.getAttribute('aria-label') === 'Pause');
    dispatchPlay(second);
    expect(playbackCalls).to.deep.equal(['play first', 'pause first']);
    button?.click();
    expect(playbackCalls.at(-1)).to.equal('pause first');
  });
  it('loads nothing before it is played, and then shows the waveform of a voice message', async () => {
    const root = await mount(post(40, { media: [voice()] }));
    const heights = () =>
      new Set([...(root.querySelector('.sound-line')?.innerHTML.matchAll(/v([\d.]+)/g) ?? [])].map(([, height]) => height));
    expect(root.querySelector('audio')?.preload).to.equal('none');
    expect(heights().size).to.equal(1);
    dispatchPlay(root.querySelector('audio'));
    await waitUntil(() => heights().size > 20);
  });
  it('seeks with a slider that announces the position', async () => {
    const root = await mount(post(40, { media: [{ ...voice(), duration: 67 }] }));
    const slider = root.querySelector<HTMLInputElement>('input[type=range]');
    expect(slider?.getAttribute('aria-valuetext')).to.equal('0:00 of 1:07');
    expect(slider?.getBoundingClientRect().height).to.be.at.least(44);
  });
  it('plays a voice message faster on request', async () => {
    const root = await mount(post(40, { media: [voice()] }));
    named(root, 'Speed: 1').click();
    await waitUntil(() => root.querySelector('[aria-label="Speed: 1.5"]'));
    expect(root.querySelector('audio')?.playbackRate).to.equal(1.5);
  });
  it('says when it cannot be played, and links to its file', async () => {
    const src = URL.createObjectURL(new Blob(['none'], { type: 'audio/ogg' }));
    const root = await mount(post(40, { media: [{ ...voice(), src }] }));
    root.querySelector<HTMLElement>('.sound-play')?.click();
    await waitUntil(() => root.querySelector('.sound')?.textContent?.includes('cannot play it'));
    expect(root.querySelector('.sound a')?.getAttribute('href')).to.equal(src);
  });
});

describe('toPeaks', () => {
  it('scales the peaks of a sound to its loudest part', () => {
    const peaks = toPeaks(Float32Array.from({ length: 5600 }, (_, at) => (at < 2800 ? 0.1 : 0.4) * (at % 2 === 0 ? 1 : -1)));
    expect(peaks[0]).to.be.closeTo(0.5, 0.01);
    expect(peaks.at(-1)).to.equal(1);
    expect(toPeaks(new Float32Array(0)).every((peak) => peak === 0)).to.equal(true);
  });
});
