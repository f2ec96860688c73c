/*
 * Type tests of the npm package: small sources that use the packed types. Each line that must fail has an expect-error mark. If
 * the line does not fail, the compiler reports the mark as unused.
 */

/** Source without any framework. */
export const PLAIN = `
import 'channel-changer/elements/changer-feed';
import type { ChangerChannelElement } from 'channel-changer/elements/changer-channel';

const tag = document.createElement('changer-channel');
const same: ChangerChannelElement = tag;
tag.channelId = 'city';
tag.limit = 5;
tag.theme = 'dark';
tag.accent = undefined;
document.querySelector('changer-feed')?.toggleAttribute('hidden');
const told: string[] = [];
tag.addEventListener('changer-failed', ({ detail }) => told.push(detail.message));
document.addEventListener('changer-attribute-refused', (event) => told.push(event.detail.attribute, event.detail.expected));

// @ts-expect-error not a number
tag.limit = 'five';
// @ts-expect-error no such theme
tag.theme = 'pink';
// @ts-expect-error no such property
same.channel = 'city';
// @ts-expect-error no such field
tag.addEventListener('changer-failed', ({ detail }) => told.push(detail.reason));
`;

/** Valid and invalid markup for any JSX. `on` is the prefix of events in the framework. */
const jsx = (on: string) => `
const heard = (event: CustomEvent<{ message: string }>): void => void event.detail.message;
const wrong = (event: CustomEvent<{ reason: string }>): void => void event.detail.reason;

export const good = [
  <changer-channel channel-id="city" limit={5} theme="dark" lang="ru" dir="rtl" accent="#0a7" api="https://a.example" loading="lazy" class="c" id="i">
    <p>Fallback</p>
  </changer-channel>,
  <changer-channel channelId="city" limit="5" ${on}changer-failed={heard} />,
  <changer-feed channels="city,zoo" />,
  <changer-search q="tram" />,
];

export const bad = [
  // @ts-expect-error a number
  <changer-channel channel-id={5} />,
  // @ts-expect-error not a number
  <changer-channel limit="five" />,
  // @ts-expect-error no such theme
  <changer-feed theme="pink" />,
  // @ts-expect-error no such attribute
  <changer-feed channel="city" />,
  // @ts-expect-error another event
  <changer-feed ${on}changer-failed={wrong} />,
  // @ts-expect-error no such tag
  <changer-chanel />,
];
`;

/** The parts of each framework that carry types, and the compiler options for its JSX. */
export const FRAMEWORKS: Readonly<Record<string, { readonly source: string; readonly options: readonly string[] }>> = {
  react: {
    source: `
import type {} from 'channel-changer/elements/react';
import { useRef } from 'react';
import type { ChangerFeedElement } from 'channel-changer/elements';
${jsx('on').replaceAll('class=', 'className=')}
export function Held() {
  const ref = useRef<ChangerFeedElement>(null);
  return <changer-feed key="k" ref={ref} />;
}
`,
    options: ['--jsx', 'react-jsx'],
  },
  preact: {
    source: `import type {} from 'channel-changer/elements/preact';\n${jsx('on')}`,
    options: ['--jsx', 'react-jsx', '--jsxImportSource', 'preact'],
  },
  solid: {
    source: `import type {} from 'channel-changer/elements/solid';\n${jsx('on:')}`,
    options: ['--jsx', 'preserve', '--jsxImportSource', 'solid-js'],
  },
  vue: {
    source: `
import type {} from 'channel-changer/elements/vue';
import type { GlobalComponents } from 'vue';

type Props = InstanceType<GlobalComponents['changer-channel']>['$props'];
const heard = (event: CustomEvent<{ message: string }>): void => void event.detail.message;
export const good: Props[] = [
  { channelId: 'city', limit: 5, theme: 'dark', class: 'c', id: 'i', onChangerFailed: heard },
  { 'channel-id': 'city', limit: '5' },
];
// @ts-expect-error no such theme
export const bad: Props = { theme: 'pink' };
// @ts-expect-error a number
export const worse: Props = { channelId: 5 };
// @ts-expect-error no such tag
export type None = GlobalComponents['changer-chanel'];
`,
    options: [],
  },
  svelte: {
    source: `
import type {} from 'channel-changer/elements/svelte';
import type { SvelteHTMLElements } from 'svelte/elements';

type Props = SvelteHTMLElements['changer-channel'];
const heard = (event: CustomEvent<{ message: string }>): void => void event.detail.message;
export const good: Props[] = [
  { 'channel-id': 'city', limit: '5', theme: 'dark', class: 'c', id: 'i', 'onchanger-failed': heard },
  { channelId: 'city', limit: 5 },
];
// @ts-expect-error no such theme
export const bad: Props = { theme: 'pink' };
// @ts-expect-error a number
export const worse: Props = { 'channel-id': 5 };
`,
    options: [],
  },
};
