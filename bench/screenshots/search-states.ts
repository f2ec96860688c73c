/** Screenshot states of the search page. */
import { SEARCH, SERVER_ERROR } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE, EMPTY, FAILED, loadingState, SHEET, shown, stubbedState } from './steps.ts';

const FERRY = '/main?search=ferry';

/** State with one of the three filters open: channels, types, dates. */
const filterState = (name: string, index: number): State => ({
  name: `search-${name}`,
  anchored: true,
  async reach(stage) {
    await stage.open(FERRY, ARTICLE);
    await stage.click('.filters [aria-haspopup]', index);
    await stage.waitFor(SHEET);
  },
});
const openStart = (stage: Stage) => stage.open('/main?search', '.search-start');

export const SEARCH_STATES: readonly State[] = [
  { name: 'search-start', reach: openStart },
  {
    name: 'search-recent',
    async reach(stage) {
      await openStart(stage);
      for (const word of ['tides', 'bread']) {
        await stage.app.locator('input[type=search]').first().fill(word);
        await stage.press('Enter');
        await stage.waitFor(ARTICLE);
      }
      await openStart(stage);
      await stage.waitFor('.recent');
    },
  },
  shown('search-results', FERRY, `${ARTICLE} mark`),
  shown('search-filtered', `${FERRY}&channels=harbour_gazette_demo&media=photo`, '.filter-on'),
  filterState('channels', 0),
  filterState('kinds', 1),
  filterState('dates', 2),
  shown('search-no_match', '/main?search=xylophone+ferry', EMPTY),
  stubbedState('search-failed', [SEARCH, SERVER_ERROR], FERRY, FAILED),
  {
    name: 'search-offline',
    async reach(stage) {
      await stage.open('/main', ARTICLE);
      await stage.page.waitForLoadState('networkidle');
      await stage.stubResponse(SEARCH, 'down');
      await stage.open(FERRY, '.notice');
    },
  },
  loadingState('search-loading', FERRY, '.skeletons', SEARCH),
];
