// Accessibility of all pages, checked by axe in several languages and themes.

import { expect, waitUntil } from '@open-wc/testing';
import axe from 'axe-core';
import '../../elements/changer-channel.ts';
import '../../elements/changer-close-webapp.ts';
import '../../elements/changer-dial.ts';
import '../../elements/changer-feed.ts';
import '../../elements/changer-layout.ts';
import '../../elements/changer-not-found.ts';
import '../../elements/changer-self-test.ts';
import type { Entity, Post } from '../../contract/post.ts';
import type { ChangerElement } from '../../elements/element-types.ts';
import type { PostListState } from '../../src/data/model/types.ts';
import { createSignal } from '../../src/lib/signal.ts';
import { POST_KINDS as RARE_KINDS } from './components/post-kinds.ts';
import { stubServices } from './features/dial-services.ts';
import { operatorServices } from './features/operator-services.ts';
import { loaded, post, posts, readingServices, stubList } from './features/reading-services.ts';

const withEntity = (text: string, type: Entity['type']): Partial<Post> => ({
  text,
  entities: [{ type, offset: 0, length: text.length }],
});

/** A post of each kind. */
const KINDS: readonly Partial<Post>[] = [
  withEntity('https://gazette.example/tides', 'url'),
  withEntity('A quote', 'blockquote'),
  withEntity('let tide = 1;', 'pre'),
  withEntity('The cat did it', 'spoiler'),
  { reply: { id: 3, excerpt: 'An earlier post' }, edited: 5000, pinned: true, author: 'Ida' },
  { forward: { name: 'Night Sky' } },
  {
    poll: {
      question: 'Which?',
      closed: true,
      options: [
        { text: 'This', votes: 2, correct: true },
        { text: 'That', votes: 1 },
      ],
    },
  },
  { media: [1, 2].map((messageId) => ({ type: 'photo', messageId, src: '/none.jpg', width: 4, height: 3 })) },
  { media: [{ type: 'photo', messageId: 1, src: '/none.jpg', spoiler: true, width: 4, height: 3 }] },
  { media: [{ type: 'video', messageId: 1, src: '/none.mp4', duration: 61 }] },
  { media: [{ type: 'document', messageId: 1, src: '/none.pdf', name: 'tides.pdf', size: 2000 }] },
  { media: [{ type: 'voice', messageId: 1, src: '/none.ogg', duration: 7 }] },
  { media: [{ type: 'photo', messageId: 1, missing: 'not-included' }] },
  { place: { latitude: 1, longitude: 2, title: 'Fish Hall' } },
  { contact: { name: 'Ida', phone: '+999 555 0142' } },
  { text: '', other: 'giveaway' },
  { text: '', service: { action: 'created' } },
];
const everything = loaded(KINDS.map((kind, index) => post(40 - index, { reactions: [{ emoji: '👍', count: 3 }], ...kind })));
const rareKinds = loaded(Object.values(RARE_KINDS).map((kind, index) => post(40 - index, kind)));
const failed: PostListState = { type: 'failed', message: 'The store is closed.', status: 500 };

type Make = () => ChangerElement;
const make =
  (tag: 'changer-feed' | 'changer-channel' | 'changer-dial', properties: Partial<ChangerElement>, attributes = {}): Make =>
  () =>
    Object.assign(document.createElement(tag), properties, attributes);
const channel = (state: PostListState, params: Readonly<Record<string, string>> = {}): Make =>
  make('changer-channel', { services: readingServices(stubList(state)) }, { channelId: 'u1', params });

const operator = (section: string): Make => make('changer-dial', { services: operatorServices(), params: { operator: section } });

/** Opens the page of operators, and clicks one of its controls as soon as it is rendered. */
const operatorAfterClick =
  (selector: string, title = ''): Make =>
  () => {
    const page = operator('')();
    const open = () => {
      const found = [...(page.shadowRoot?.querySelectorAll<HTMLElement>(selector) ?? [])];
      const control = found.find((each) => each.textContent?.includes(title));
      if (control === undefined) requestAnimationFrame(open);
      else control.click();
    };
    open();
    return page;
  };

/** Opens the layout, and clicks its controls one after the other. */
const layoutAfterClicks =
  (...selectors: readonly string[]): Make =>
  () => {
    const frame = Object.assign(document.createElement('changer-layout'), { services: stubServices(), path: '/main' });
    const open = ([selector, ...rest]: readonly string[]) => {
      if (selector === undefined) return;
      const control = frame.shadowRoot?.querySelector<HTMLElement>(selector);
      control?.click();
      requestAnimationFrame(() => open(control == null ? [selector, ...rest] : rest));
    };
    open(selectors);
    return frame;
  };

/** Returns the properties of a layout for which a newer build is available. */
const newer = () => {
  const services = stubServices();
  return {
    services: { ...services, environment: { ...services.environment, updateAvailable: createSignal(true) } },
    path: '/main',
  };
};

/** Every page in its states, with a selector that shows that the state is reached. A new state needs only another line. */
const PAGES: Readonly<Record<string, readonly [seen: string, make: Make]>> = {
  'a feed': [
    'article',
    make('changer-feed', { services: readingServices(stubList(loaded(posts(40, 36))), { marks: { 1: 38 } }) }),
  ],
  'an empty feed': ['.empty', make('changer-feed', { services: readingServices(stubList(loaded([]))) })],
  'a feed that failed': ['.empty', make('changer-feed', { services: readingServices(stubList(failed)) })],
  'a feed on its way': ['.skeletons', make('changer-feed', { services: readingServices(stubList({ type: 'loading' })) })],
  'a channel with every kind of post': ['.poll', channel(everything)],
  'a channel with every rare kind of post': ['.giveaway', channel(rareKinds)],
  'a grid of media': ['.media-grid button:nth-of-type(1)', channel(everything, { media: '1', as: 'grid' })],
  'a rich message, whole': ['.table', channel(rareKinds, { post: '40' })],
  'a post that is not here': ['.empty', channel({ ...failed, status: 404 }, { post: '7' })],
  'no such channel': [
    '.empty',
    make('changer-channel', { services: readingServices(stubList(loaded([])), { found: null }) }, { channelId: 'u9' }),
  ],
  'the dial': ['.card-posts time', make('changer-dial', { services: stubServices() })],
  'the dial with a channel off': ['.available', make('changer-dial', { services: stubServices({ off: ['6'] }) })],
  'the operators’ channels': ['.operator-rows .row', operator('')],
  'a channel, to its operator': ['.gaps a', operatorAfterClick('.operator-rows button', 'Harbour')],
  'a private channel, to its operator': ['input[name="origin"]', operatorAfterClick('.operator-rows button', 'Garden')],
  'the operators’ hidden posts': ['.hidden-post', operator('hidden')],
  'the brand': ['input[type=file]', operator('brand')],
  'what operators did': ['.act', operator('history')],
  'connecting a channel': ['dialog a', operatorAfterClick('.operator-ways button')],
  'adding a feed': ['dialog input', operatorAfterClick('.operator-ways button:nth-child(2)')],
  'the navigation': [
    'nav',
    () => Object.assign(document.createElement('changer-layout'), { services: stubServices(), path: '/main' }),
  ],
  'the navigation, with the reader’s menu': ['dialog .choice', layoutAfterClicks('[aria-haspopup]')],
  'the keys of a page': ['dialog .key-list', layoutAfterClicks('[aria-haspopup]', '.reader-keys')],
  'the offer of a new version': ['.offer', () => Object.assign(document.createElement('changer-layout'), newer())],
  'the check': ['.check', () => Object.assign(document.createElement('changer-self-test'), { services: stubServices() })],
  'not found': ['h1', () => Object.assign(document.createElement('changer-not-found'), { services: stubServices() })],
  'the end': ['h1', () => Object.assign(document.createElement('changer-close-webapp'), { services: stubServices() })],
};

/** Rules about a complete document rather than an element, and rules about parts that only a page in the app has. */
const DISABLED_RULES = ['page-has-heading-one', 'region', 'landmark-one-main', 'document-title', 'html-has-lang'];

/**
 * The combinations of theme and language. They change colours, sizes and positions, so the other rules are checked only once
 * for each direction.
 */
const APPEARANCES = (['light', 'dark', 'contrast'] as const).flatMap((theme) =>
  (['en', 'ar'] as const).map((lang) => ({
    theme,
    lang,
    allRules: (theme === 'dark') === (lang === 'ar') && theme !== 'contrast',
  })),
);

async function findViolations(element: HTMLElement, allRules: boolean): Promise<string[]> {
  const off = Object.fromEntries(DISABLED_RULES.map((id) => [id, { enabled: false }]));
  const appearanceRules = { 'color-contrast': { enabled: true }, 'target-size': { enabled: true } };
  const { violations } = await axe.run(element, {
    resultTypes: ['violations'],
    ...(allRules ? { rules: { ...off, ...appearanceRules } } : { runOnly: Object.keys(appearanceRules), rules: appearanceRules }),
  });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().at(-1)}`));
}

/**
 * Returns the rules of the style sheets for readers who prefer more contrast. No browser reports this preference in tests, so
 * the test enables these rules itself.
 */
function contrastRules(element: HTMLElement): CSSMediaRule[] {
  const rules = (element.shadowRoot?.adoptedStyleSheets ?? []).flatMap((sheet) => [...sheet.cssRules]);
  return rules.filter((rule) => rule instanceof CSSMediaRule).filter(({ media }) => /prefers-contrast/.test(media.mediaText));
}

/** Shows a page in a theme and a language. Returns a function that removes everything that remains after the page. */
async function show(element: HTMLElement, { theme, lang }: (typeof APPEARANCES)[number]): Promise<() => void> {
  const rules = theme === 'contrast' ? contrastRules(element) : [];
  const media = rules.map((rule) => rule.media.mediaText);
  for (const rule of rules) rule.media.mediaText = 'all';
  element.setAttribute('theme', theme === 'contrast' ? 'light' : theme);
  element.lang = lang;
  await waitUntil(() => element.shadowRoot?.querySelector(`.root[lang="${lang}"]:not(.waiting)`), `${lang} is not there`);
  // Elements are transparent while their entry animation runs.
  for (const animation of element.shadowRoot?.getAnimations() ?? [])
    if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
  return () => {
    for (const [index, rule] of rules.entries()) rule.media.mediaText = media[index] ?? '';
  };
}

/** Timeout for the six appearances of the longest page on a busy machine, ms. */
const TIMEOUT_MS = 240_000;

describe('axe', function (this: { timeout(ms: number): void }) {
  this.timeout(TIMEOUT_MS);
  for (const [name, [readySelector, makePage]] of Object.entries(PAGES)) {
    it(`reports no violation in ${name}`, async () => {
      const element = makePage();
      element.style.display = 'block';
      document.body.append(element);
      try {
        await waitUntil(
          () => element.shadowRoot?.querySelector('.root:not(.waiting)') && element.shadowRoot.querySelector(readySelector),
        );
        for (const appearance of APPEARANCES) {
          const end = await show(element, appearance);
          // The bar of the channel covers controls that scroll below it. Their target sizes are measured at the top of the
          // page.
          window.scrollTo(0, 0);
          const violations = await findViolations(element, appearance.allRules);
          end();
          expect(violations, `${appearance.theme}, ${appearance.lang}`).to.deep.equal([]);
        }
      } finally {
        element.remove();
      }
    });
  }
});
