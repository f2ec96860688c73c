// Accessibility of the import, export and sharing of a line-up, checked by axe.

import { expect, waitUntil } from '@open-wc/testing';
import axe from 'axe-core';
import { ApiError } from '../../../src/api/api-error.ts';
import { encodeLineupLink } from '../../../src/features/import-export/model/lineup-link.ts';
import { find, has, mountDial, unmountDial } from './dial-driver.ts';
import { exchangeServices } from './import-export-services.ts';

afterEach(unmountDial);

const OPML = `<opml><body><outline text="News"><outline text="Tides" xmlUrl="https://tides.example/"/></outline>
  <outline text="Sky" xmlUrl="https://sky.example/"/><outline text="Odd" xmlUrl="mailto:a@b.example"/>
  <outline text="Busy" xmlUrl="https://busy.example/"/></body></opml>`;
const IMPORT = ['.elsewhere-ways button', 'dialog textarea', 'dialog form button', 'dialog .pick ~ .sheet-actions button'];
const SHARED = encodeLineupLink({ name: 'Early', channelIds: ['5', '2', '99'] });

/**
 * A selector that shows that the state is reached, the line-up code of the address, and the controls that are pressed. A text
 * area is filled with a list of feeds.
 */
const STATES: Readonly<Record<string, readonly [seen: string, code?: string | undefined, presses?: readonly string[]]>> = {
  'the field for an address': ['.add-feed'],
  'choosing a file': ['dialog textarea', undefined, IMPORT.slice(0, 1)],
  'picking of what is in it': ['.pick-row', undefined, IMPORT.slice(0, 3)],
  'an import that waits': ['.countdown', undefined, IMPORT],
  'what came of an import': ['.not-brought', undefined, [...IMPORT, '.countdown + button']],
  'sharing a line-up': ['dialog input[readonly]', undefined, ['.elsewhere-ways button:nth-child(3)']],
  'a shared line-up': ['.shared-ways', SHARED],
  'a shared line-up whose link is broken': ['dialog [role=alert]', 'broken'],
};

describe('axe on the import and export of the line-up', () => {
  for (const [name, [readySelector, code, presses = []]] of Object.entries(STATES)) {
    for (const [lang, theme] of [
      ['en', 'light'],
      ['ar', 'dark'],
    ] as const) {
      it(`reports no violation in ${name}, ${lang}, ${theme}`, async () => {
        const errors = {
          'https://tides.example/': [new ApiError('Nothing can be fetched from there.', 422)],
          'https://busy.example/': [new ApiError('Too many', 429)],
        };
        const services = exchangeServices({ off: ['5'] }, { thrown: errors });
        const dial = mountDial(services, { lang, theme }, code === undefined ? {} : { lineup: code });
        for (const press of presses) {
          await waitUntil(() => has(dial, press), press);
          const control = find(dial, press);
          if (control instanceof HTMLTextAreaElement) control.value = OPML;
          else control.click();
        }
        await waitUntil(() => has(dial, readySelector), readySelector);
        // Elements are transparent while their entry animation runs.
        for (const animation of dial.shadowRoot?.getAnimations() ?? [])
          if (animation.effect?.getComputedTiming().iterations !== Infinity) animation.finish();
        const { violations } = await axe.run(dial, {
          resultTypes: ['violations'],
          rules: { 'page-has-heading-one': { enabled: false }, region: { enabled: false }, 'target-size': { enabled: true } },
        });
        expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.flat().at(-1)}`))).to.deep.equal(
          [],
        );
      });
    }
  }
});
