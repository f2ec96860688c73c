import { BROKEN, SEARCH } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE, SHEET } from './ways.ts';

const FERRY = '/main?search=ferry';

/** Opens one of the three filters: channels, kind, dates. */
const filter = (name: string, at: number): State => ({
  name: `search-${name}`,
  anchored: true,
  async reach(stage) {
    await stage.open(FERRY, ARTICLE);
    await stage.click('.filters [aria-haspopup]', at);
    await stage.see(SHEET);
  },
});
const start = (stage: Stage) => stage.open('/main?search', '.search-start');

export const SEARCH_STATES: readonly State[] = [
  { name: 'search-start', reach: start },
  {
    name: 'search-recent',
    async reach(stage) {
      await start(stage);
      for (const word of ['tides', 'bread']) {
        await stage.app.locator('input[type=search]').first().fill(word);
        await stage.press('Enter');
        await stage.see(ARTICLE);
      }
      await start(stage);
      await stage.see('.recent');
    },
  },
  { name: 'search-results', reach: (stage) => stage.open(FERRY, ARTICLE) },
  { name: 'search-filtered', reach: (stage) => stage.open(`${FERRY}&channels=harbour_gazette_demo&media=photo`, ARTICLE) },
  filter('channels', 0),
  filter('kinds', 1),
  filter('dates', 2),
  { name: 'search-no_match', reach: (stage) => stage.open('/main?search=xylophone+ferry', '.empty') },
  {
    name: 'search-failed',
    async reach(stage) {
      await stage.answer(SEARCH, BROKEN);
      await stage.open(FERRY, '.empty');
    },
  },
  {
    name: 'search-offline',
    async reach(stage) {
      await stage.open('/main', ARTICLE);
      await stage.page.waitForLoadState('networkidle');
      await stage.answer(SEARCH, 'down');
      await stage.open(FERRY, '.notice');
    },
  },
  {
    name: 'search-loading',
    unfinished: true,
    async reach(stage) {
      await stage.answer(SEARCH, 'never');
      await stage.open(FERRY, '.skeletons');
    },
  },
];
