/** Screenshot states of the operators' page. */
import { BROKEN } from './paths.ts';
import type { Stage, State } from './state.ts';
import { EMPTY, FAILED, SHEET, shown } from './ways.ts';

const ROW = '.operator-rows .row';

async function operate(stage: Stage, section: string, seen: string): Promise<void> {
  await stage.signIn('operator');
  await stage.open(`/changer?operator${section && `=${section}`}`, seen);
}

const sheet = (name: string, selector: string, at: number): State => ({
  name: `operator-${name}`,
  async reach(stage) {
    await operate(stage, '', ROW);
    await stage.click(selector, at);
    await stage.waitFor(SHEET);
  },
});

export const OPERATOR_STATES: readonly State[] = [
  { name: 'operator-channels', reach: (stage) => operate(stage, '', ROW) },
  sheet('channel', `${ROW} button`, 0),
  {
    name: 'operator-disconnect',
    async reach(stage) {
      await operate(stage, '', ROW);
      await stage.click(`${ROW} button`);
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.waitFor('dialog form, dialog [type=radio], dialog .operator-ways');
    },
  },
  sheet('connect', '.operator-ways button', 0),
  sheet('feed', '.operator-ways button', 1),
  { name: 'operator-hidden', reach: (stage) => operate(stage, 'hidden', '.hidden-post') },
  {
    name: 'operator-nothing_hidden',
    async reach(stage) {
      await stage.stubResponse(/^\/api\/operator\/hidden$/, { body: { items: [], channels: [], posts: [], next: null } });
      await operate(stage, 'hidden', EMPTY);
    },
  },
  { name: 'operator-brand', reach: (stage) => operate(stage, 'brand', '.operator-brand') },
  { name: 'operator-history', reach: (stage) => operate(stage, 'history', '.act') },
  {
    name: 'operator-failed',
    async reach(stage) {
      await stage.stubResponse(/^\/api\/operator\/channels$/, BROKEN);
      await operate(stage, '', FAILED);
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
