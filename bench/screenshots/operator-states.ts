/** Screenshot states of the operators' page. */
import { SERVER_ERROR } from './paths.ts';
import type { Stage, State } from './state.ts';
import { EMPTY, FAILED, SHEET, shown } from './steps.ts';

const ROW = '.operator-rows .row';

/** Opens a section of the operators' page as an operator. The section '' is the list of channels. */
async function openOperatorPage(stage: Stage, section: string, selector: string): Promise<void> {
  await stage.signIn('operator');
  await stage.open(`/changer?operator${section && `=${section}`}`, selector);
}

/** State of a sheet that a button on the operators' page opens. */
const sheetState = (name: string, selector: string, index: number): State => ({
  name: `operator-${name}`,
  async reach(stage) {
    await openOperatorPage(stage, '', ROW);
    await stage.click(selector, index);
    await stage.waitFor(SHEET);
  },
});

export const OPERATOR_STATES: readonly State[] = [
  { name: 'operator-channels', reach: (stage) => openOperatorPage(stage, '', ROW) },
  sheetState('channel', `${ROW} button`, 0),
  {
    name: 'operator-disconnect',
    async reach(stage) {
      await openOperatorPage(stage, '', ROW);
      await stage.click(`${ROW} button`);
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.waitFor('dialog form, dialog [type=radio], dialog .operator-ways');
    },
  },
  sheetState('connect', '.operator-ways button', 0),
  sheetState('feed', '.operator-ways button', 1),
  { name: 'operator-hidden', reach: (stage) => openOperatorPage(stage, 'hidden', '.hidden-post') },
  {
    name: 'operator-nothing_hidden',
    async reach(stage) {
      await stage.stubResponse(/^\/api\/operator\/hidden$/, { body: { items: [], channels: [], posts: [], next: null } });
      await openOperatorPage(stage, 'hidden', EMPTY);
    },
  },
  { name: 'operator-brand', reach: (stage) => openOperatorPage(stage, 'brand', '.operator-brand') },
  { name: 'operator-history', reach: (stage) => openOperatorPage(stage, 'history', '.act') },
  {
    name: 'operator-failed',
    async reach(stage) {
      await stage.stubResponse(/^\/api\/operator\/channels$/, SERVER_ERROR);
      await openOperatorPage(stage, '', FAILED);
    },
  },
  { ...shown('operator-not_permitted', '/changer?operator', EMPTY), browserOnly: true },
  {
    name: 'operator-post',
    async reach(stage) {
      await stage.signIn('operator');
      await stage.open('/main', '.post-actions .icon-button:nth-child(4)');
      await stage.app
        .locator('.post-actions')
        .first()
        .evaluate((actions) => actions.scrollIntoView({ block: 'center' }));
    },
  },
];
