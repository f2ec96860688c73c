import { expect, waitUntil } from '@open-wc/testing';
import { find, has, mountDial, unmountDial, waitForLazyParts } from './dial-driver.ts';
import { stubServices } from './dial-services.ts';

afterEach(unmountDial);

/**
 * The controls that are pressed, and a selector that shows that the state is reached. The line-up has a preset, a muted word
 * and a recently removed channel.
 */
const STATES: Readonly<Record<string, readonly [seen: string, ...presses: string[]]>> = {
  'a preset and what was removed': ['[aria-labelledby=removed]'],
  'the line-up, edited': ['.row.checked', '.section-edit', '.row-check'],
  'the presets': ['.presets', '.preset-chip'],
  'a preset, edited': ['.preset-editor', '.preset-chip', '.presets .icon-button:last-child'],
  'a row’s menu': ['.menu-number', '[data-row="2"] .row-controls button'],
  'muting by words': ['.words-add', '[data-row="2"] .row-controls button', '.menu-item:nth-of-type(5)'],
  'the search in the line-up': ['.find', '.bar [aria-expanded]'],
};

describe('axe on the dial', () => {
  for (const [name, [readySelector, ...presses]] of Object.entries(STATES)) {
    for (const [lang, theme] of [
      ['en', 'light'],
      ['ar', 'dark'],
    ] as const) {
      it(`reports no violation in ${name}, ${lang}, ${theme}`, async () => {
        const entries = ['1', '2', '3', '4', '5', '6', '7'].map((channelId) => ({
          ...{ channelId, followed: channelId !== '6' },
          ...(channelId === '6' && { changed: Date.now() }),
          ...(channelId === '1' && { mutedWords: ['tide'] }),
        }));
        const contents = { entries, presets: [{ id: 'm', name: 'Morning', channelIds: ['2', '5'] }] };
        const dial = mountDial(stubServices({ given: contents }), { lang, theme }, { preset: 'm' });
        await waitForLazyParts(dial);
        for (const press of presses) {
          await waitUntil(() => has(dial, press), press);
          find(dial, press).click();
        }
        await waitUntil(() => has(dial, readySelector), readySelector);
        // Elements are transparent while their entry animation runs.
        for (const animation of dial.shadowRoot?.getAnimations() ?? [])
          if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
        await expect(dial).to.be.accessible();
      });
    }
  }
});
