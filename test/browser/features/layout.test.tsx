// changer-layout: navigation, menu of the reader, appearance and keyboard shortcuts.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-layout.ts';
import type { ChangerElement } from '../../../elements/element-types.ts';
import { createSignal } from '../../../src/lib/signal.ts';
import type { Scheme, TextSize } from '../../../src/theme/appearance.ts';
import { type StubServices, stubServices } from './dial-services.ts';

let mounted: (ChangerElement & { path: string | undefined }) | null = null;
const matchMedia = window.matchMedia;
afterEach(() => {
  window.matchMedia = matchMedia;
  mounted?.remove();
  mounted = null;
});

function mount(services: StubServices, path: string) {
  mounted = document.createElement('changer-layout');
  mounted.services = services;
  mounted.path = path;
  mounted.innerHTML = '<h1>A page</h1>';
  document.body.append(mounted);
  return mounted;
}

/** Forces the layout to use the sidebar, although the window of the test runner is too narrow for it. */
const widen = (): void => {
  window.matchMedia = (query) => matchMedia.call(window, query === '(min-width: 1024px)' ? 'all' : query);
};

const all = (layout: Element, selector: string): HTMLElement[] => [
  ...(layout.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? []),
];
const current = (layout: Element): string[] => all(layout, '.tabs [aria-current=page]').map((tab) => tab.textContent ?? '');
const named = (layout: Element, name: string): HTMLElement => {
  const found = all(layout, 'button, a, input').find((each) => (each.getAttribute('aria-label') ?? each.textContent) === name);
  if (found === undefined) throw new Error(`no control called ${name}`);
  return found;
};
const pressHelp = (key = '?', on: EventTarget = document.body) =>
  on.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
const menuOf = async (layout: Element): Promise<HTMLElement> => {
  named(layout, 'You').click();
  await waitUntil(() => all(layout, 'dialog[open]').length === 1);
  const dialog = all(layout, 'dialog')[0] as HTMLElement;
  await Promise.all(dialog.getAnimations().map((animation) => animation.finished));
  return dialog;
};

describe('changer-layout', () => {
  it('shows the page in its slot', () => {
    const layout = mount(stubServices(), '/main');
    const slot = all(layout, 'main slot')[0] as HTMLSlotElement;
    expect(slot.assignedElements()[0]?.textContent).to.equal('A page');
  });

  it('hides the skip link until it has the focus, however large the text is', () => {
    const layout = mount(stubServices(), '/main');
    const skip = all(layout, '.skip')[0] as HTMLElement;
    document.documentElement.style.fontSize = '400%';
    expect(skip.getBoundingClientRect().bottom).to.be.at.most(0);
    skip.focus();
    expect(skip.getBoundingClientRect().top).to.be.at.least(0);
    document.documentElement.style.fontSize = '';
  });

  it('marks the current navigation item, and updates it', async () => {
    const layout = mount(stubServices(), '/main?show=starred');
    expect(current(layout)).to.deep.equal(['Starred']);
    for (const [path, section] of [
      ['/main?show=unread', ['Feed']],
      ['/changer?n=3', ['Dial']],
      ['/test', []],
      ['/channel/u3', []],
    ] as const) {
      layout.path = path;
      await waitUntil(() => String(current(layout)) === String(section), path);
    }
  });

  it('lists the line-up with links, and marks the open channel', async () => {
    widen();
    const layout = mount(stubServices({ off: ['6'] }), '/channel/u3?post=4');
    await waitUntil(() => all(layout, '.lineup a').length > 0);
    const links = all(layout, '.lineup a');
    expect(links.map((link) => link.getAttribute('href'))).to.deep.equal([1, 2, 3, 4, 5, 7].map((id) => `/channel/u${id}`));
    expect(links.filter((link) => link.hasAttribute('aria-current')).map((link) => link.getAttribute('href'))).to.deep.equal([
      '/channel/u3',
    ]);
    expect(links[0]?.textContent).to.contain('12 unread');
  });

  it('shows the keyboard shortcuts instead of the line-up next to the dial', async () => {
    widen();
    const layout = mount(stubServices(), '/changer');
    expect(all(layout, '.lineup').length).to.equal(0);
    await waitUntil(() => all(layout, '.side kbd').length > 5);
  });

  it('shows in a status line that the user is offline and what waits', async () => {
    const services = stubServices();
    const layout = mount(services, '/main');
    expect(all(layout, '.connection').length).to.equal(0);
    services.signals.connection.set('offline');
    services.signals.saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => all(layout, '.bottom .connection')[0]?.textContent === 'Offline · 1 change waiting');
  });

  it('removes the status line with its text after the pending changes are sent', async () => {
    const services = stubServices();
    const layout = mount(services, '/main');
    services.signals.saving.set({ type: 'waiting', count: 1 });
    await waitUntil(() => all(layout, '.connection').length === 1, 'the callback is called');
    const announcedTexts: (string | null)[] = [];
    const observer = new MutationObserver(() => {
      for (const line of all(layout, '.connection')) announcedTexts.push(line.textContent);
    });
    observer.observe(layout.shadowRoot as ShadowRoot, { childList: true, characterData: true, subtree: true });
    services.signals.saving.set({ type: 'saved' });
    await waitUntil(() => all(layout, '.connection').length === 0);
    observer.disconnect();
    expect(announcedTexts).to.deep.equal([]);
  });

  it('offers the languages by their own names, and a link to the self-test', async () => {
    const services = stubServices();
    const layout = mount(services, '/main');
    const menu = await menuOf(layout);
    expect([...menu.querySelectorAll('label')].map((label) => label.textContent)).to.include.members([
      'English',
      'Русский',
      'العربية',
    ]);
    menu.querySelector<HTMLInputElement>('[value=ar]')?.click();
    expect(services.calls).to.include('locale ar');
    expect(named(layout, 'Check this app').getAttribute('href')).to.equal('/test');
    expect(menu.textContent).not.to.contain('Sign out');
  });

  it('offers a theme and a text size', async () => {
    const services = stubServices();
    const theme = createSignal<Scheme | null>(null);
    const textSize = createSignal<TextSize>(100);
    const list = createSignal<'posts' | 'titles'>('posts');
    const appearance = { theme, textSize, listView: list };
    const layout = mount({ ...services, environment: { ...services.environment, appearance } }, '/main');
    await menuOf(layout);
    named(layout, 'Appearance').click();
    await waitUntil(() => all(layout, 'dialog[open] h2')[0]?.textContent === 'Appearance');
    // If a slider had the focus, the keys for scrolling would move it.
    expect((layout.shadowRoot?.activeElement as HTMLInputElement | null)?.type).to.equal('button');
    const radio = (value: string) => all(layout, `[type=radio][value=${value}]`)[0] as HTMLInputElement;
    radio('dark').click();
    expect(theme.get()).to.equal('dark');
    await waitUntil(() => radio('dark').checked);
    radio('auto').click();
    expect(theme.get()).to.equal(null);
    const scale = all(layout, '[type=range]')[0] as HTMLInputElement;
    expect(scale.getAttribute('aria-valuetext')).to.equal('Normal');
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(scale, '4');
    scale.dispatchEvent(new Event('input', { bubbles: true }));
    expect(textSize.get()).to.equal(150);
    await waitUntil(() => scale.getAttribute('aria-valuetext') === 'Largest');
    radio('titles').click();
    expect(list.get()).to.equal('titles');
  });

  it('shows the name of the signed-in user and signs out', async () => {
    const services = stubServices({ user: { id: '7', name: 'Anna Petrova', operator: false } });
    const layout = mount(services, '/main');
    const menu = await menuOf(layout);
    expect(menu.querySelector('h2')?.textContent).to.equal('Anna Petrova');
    named(layout, 'Sign out').click();
    expect(services.calls).to.include('sign out');
    await waitUntil(() => all(layout, 'dialog').length === 0);
  });

  it('restores the focus when its menu closes', async () => {
    const layout = mount(stubServices(), '/main');
    named(layout, 'You').focus();
    await menuOf(layout);
    named(layout, 'Close').click();
    await waitUntil(() => all(layout, 'dialog').length === 0);
    expect(layout.shadowRoot?.activeElement?.textContent).to.equal('You');
  });

  it('replaces its menu with the shortcuts of the page, and restores the focus from there', async () => {
    const services = stubServices();
    const layout = mount(services, '/main');
    named(layout, 'You').focus();
    await menuOf(layout);
    named(layout, 'Shortcuts on this page').click();
    await waitUntil(() => all(layout, 'dialog[open] h2')[0]?.textContent === 'Shortcuts on this page');
    expect(all(layout, 'kbd').map((key) => key.textContent)).to.include.members(['Page Down', '?']);
    named(layout, 'Close').click();
    await waitUntil(() => all(layout, 'dialog').length === 0);
    expect(layout.shadowRoot?.activeElement?.textContent).to.equal('You');
  });

  it('shows the shortcuts of a page on ?, at once, and those of posts when there are posts', async () => {
    const layout = mount(stubServices(), '/main');
    const title = () => all(layout, 'dialog[open] h2')[0]?.textContent;
    pressHelp();
    await waitUntil(() => title() === 'Shortcuts on this page');
    expect(all(layout, 'kbd').map((key) => key.textContent)).to.include.members(['J', 'Page Down', 'M', '?']);
    named(layout, 'Close').click();
    await waitUntil(() => title() === undefined);
    layout.path = '/test';
    await waitUntil(() => current(layout).length === 0);
    pressHelp('؟');
    await waitUntil(() => title() !== undefined);
    expect(layout.shadowRoot?.textContent).not.to.contain('Next post');
  });

  it('ignores ? on the dial, in fields, and when the user turned single-key shortcuts off', async () => {
    const layout = mount(stubServices(), '/changer?n=2');
    const title = () => all(layout, 'dialog[open] h2')[0]?.textContent;
    const afterTwoFrames = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // The first press on a page loads this chunk. The import waits until it is loaded.
    await import('../../../src/features/layout/ShortcutsSheet.tsx');
    pressHelp();
    await afterTwoFrames();
    expect(title()).to.equal(undefined);
    layout.path = '/main';
    await waitUntil(() => current(layout)[0] === 'Feed');
    const field = document.body.appendChild(document.createElement('input'));
    pressHelp('?', field);
    await afterTwoFrames();
    expect(title()).to.equal(undefined);
    field.remove();
    pressHelp();
    await waitUntil(() => title() !== undefined);
    all(layout, '[role=switch]')[0]?.click();
    named(layout, 'Close').click();
    await waitUntil(() => title() === undefined);
    pressHelp();
    await afterTwoFrames();
    expect(title()).to.equal(undefined);
    localStorage.removeItem('channel-changer.single-keys');
  });

  it('connects the back button of the host to an open overlay, and disconnects it', async () => {
    const handlers: (() => void)[] = [];
    const services = stubServices();
    const showBackButton = (handler: () => void) => {
      handlers.push(handler);
      return () => void handlers.splice(handlers.indexOf(handler), 1);
    };
    const layout = mount({ ...services, host: { ...services.host, showBackButton } }, '/main');
    await menuOf(layout);
    expect(handlers.length).to.equal(1);
    handlers[0]?.();
    await waitUntil(() => all(layout, 'dialog').length === 0);
    expect(handlers.length).to.equal(0);
  });

  it('gives haptic feedback when the user chooses a language', async () => {
    const services = stubServices();
    const menu = await menuOf(mount(services, '/main'));
    menu.querySelector<HTMLInputElement>('[value=ru]')?.click();
    expect(services.calls).to.include('haptic selection');
  });

  it('keeps the focus inside when the button that opened its menu is hidden', async () => {
    const layout = mount(stubServices(), '/main');
    named(layout, 'You').focus();
    await menuOf(layout);
    const opener = all(layout, '.tabs button')[0] as HTMLElement;
    opener.hidden = true;
    named(layout, 'Close').click();
    await waitUntil(() => all(layout, 'dialog').length === 0);
    await waitUntil(() => document.activeElement === layout);
  });

  for (const lang of ['en', 'ru', 'ar'] as const) {
    it(`truncates no tab label, ${lang}, from 320 px, with text up to twice as large`, async () => {
      const layout = mount(stubServices(), '/main');
      layout.lang = lang;
      await waitUntil(() => all(layout, `.root[lang=${lang}]:not(.waiting)`).length > 0);
      const bar = all(layout, '.bottom')[0] as HTMLElement;
      for (const size of ['100%', '150%', '200%']) {
        document.documentElement.style.fontSize = size;
        for (const width of [320, 390, 600]) {
          layout.style.inlineSize = `${width}px`;
          if (getComputedStyle(bar).display === 'none') return;
          const { left, right } = bar.getBoundingClientRect();
          for (const tab of all(layout, '.tabs > *')) {
            const name = tab.querySelector('span')?.getBoundingClientRect() ?? tab.getBoundingClientRect();
            const own = tab.getBoundingClientRect();
            const what = `${tab.textContent} at ${size} of ${width}`;
            expect(name.left, what).to.be.at.least(Math.max(own.left, left) - 0.5);
            expect(name.right, what).to.be.at.most(Math.min(own.right, right) + 0.5);
            expect(own.height, what).to.be.at.least(44);
            expect(own.width, what).to.be.at.least(44);
          }
        }
      }
      document.documentElement.style.fontSize = '';
    });
  }

  it('moves the focus to the content from the skip link', () => {
    const layout = mount(stubServices(), '/main');
    named(layout, 'Skip to the content').click();
    expect(layout.shadowRoot?.activeElement?.localName).to.equal('main');
  });

  it('covers no content: its bar is below the end of the page', () => {
    const layout = mount(stubServices(), '/main');
    const page = document.createElement('div');
    page.style.blockSize = '3000px';
    layout.append(page);
    window.scrollTo(0, document.documentElement.scrollHeight);
    const bar = all(layout, '.bottom')[0]?.getBoundingClientRect();
    if (getComputedStyle(all(layout, '.bottom')[0] as Element).display === 'none') return;
    expect(page.getBoundingClientRect().bottom).to.be.at.most((bar?.top ?? 0) + 1);
  });

  it('passes axe, also with its menu open', async () => {
    const layout = mount(stubServices(), '/main');
    await expect(layout).to.be.accessible();
    await menuOf(layout);
    await expect(layout).to.be.accessible();
  });
});
