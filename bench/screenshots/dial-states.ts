/** Screenshot states of the dial. */
import { IMPORT_EXPORT_STATES } from './import-export-states.ts';
import { API, CHANNELS, LINEUP, NO_CHANNELS, SERVER_ERROR } from './paths.ts';
import type { Body, Stage, State } from './state.ts';
import {
  BULK_MUTE,
  BULK_PRESET,
  BULK_UNFOLLOW,
  CARD,
  EMPTY,
  FAILED,
  loadingState,
  makePreset,
  openDial,
  openLineupEditor,
  openPresetEditor,
  openRowMenu,
  runBulkAction,
  SHEET,
  shown,
  stubbedState,
} from './steps.ts';

/** Opens the dial and closes the hint that explains the line-up to new readers. */
const openWithoutHint = async (stage: Stage) => {
  await openDial(stage);
  await stage.click('.hint button');
};

/** Returns a change of a response that repeats its channels, with new ids, until there are `count` of them. */
const repeatChannels = (count: number) => (body: Body) => ({
  ...body,
  items: Array.from({ length: count }, (_, index) => {
    const channel = body.items[index % body.items.length];
    return index < body.items.length ? channel : { ...channel, id: String(2_000_000_000 + index), username: `copy_${index}` };
  }),
});

/** Opens the menu of a row, and in it the sheet of muted keywords (the fourth item). */
async function openMutedKeywords(stage: Stage): Promise<void> {
  await openRowMenu(stage);
  await stage.click('dialog .menu-item', 3);
  await stage.waitFor('.words-add');
}

export const DIAL_STATES: readonly State[] = [
  shown('dial-first_run', '/changer', '.hint'),
  {
    name: 'dial-card',
    async reach(stage) {
      await openWithoutHint(stage);
      await stage.waitFor(CARD);
    },
  },
  {
    name: 'dial-flipped',
    async reach(stage) {
      await openWithoutHint(stage);
      await stage.click('.remote .round', 1);
      await stage.waitFor('.remote-last button');
    },
  },
  shown('dial-arabic_channel', '/changer?n=3', '.card-posts [dir=rtl], .card-posts time'),
  {
    name: 'dial-typed',
    browserOnly: true,
    stopsClock: true,
    async reach(stage) {
      await stage.page.clock.install();
      await openWithoutHint(stage);
      // The typed digits disappear after 0.8 s, so the clock is stopped.
      await stage.page.clock.pauseAt(Date.now() + 60_000);
      await stage.press('1');
      await stage.waitFor('.typing');
    },
  },
  {
    name: 'dial-lineup',
    async reach(stage) {
      await openWithoutHint(stage);
      await stage.app.locator('#my-line-up').evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    name: 'dial-edit',
    async reach(stage) {
      await openLineupEditor(stage);
      for (const index of [0, 2]) await stage.app.locator('.row-check').nth(index).check();
      await stage.app.locator('#my-line-up').evaluate((heading) => heading.scrollIntoView());
    },
  },
  {
    name: 'dial-bulk_mute',
    async reach(stage) {
      await runBulkAction(stage, BULK_MUTE);
      await stage.waitFor(SHEET);
    },
  },
  {
    name: 'dial-bulk_preset',
    async reach(stage) {
      await runBulkAction(stage, BULK_PRESET);
      await stage.waitFor(SHEET);
    },
  },
  { name: 'dial-row_menu', anchored: true, reach: (stage) => openRowMenu(stage) },
  { name: 'dial-muted_words', reach: openMutedKeywords },
  {
    name: 'dial-muted_words_added',
    async reach(stage) {
      await openMutedKeywords(stage);
      for (const keyword of ['lottery', 'прогноз погоды', 'حظ']) {
        await stage.app.locator('.words-add input').fill(keyword);
        await stage.click('.words-add [type=submit]');
      }
      await stage.app.locator('.words li').nth(2).waitFor();
    },
  },
  {
    name: 'dial-muted',
    async reach(stage) {
      await openRowMenu(stage, 0);
      await stage.click('dialog .menu-item');
      await stage.waitFor('.row.muted');
    },
  },
  {
    name: 'dial-presets',
    async reach(stage) {
      await makePreset(stage);
      await stage.click('.preset-chip');
      await stage.waitFor(SHEET);
    },
  },
  {
    name: 'dial-presets_none',
    async reach(stage) {
      await openDial(stage);
      await stage.click('.preset-chip');
      await stage.waitFor(SHEET);
    },
  },
  { name: 'dial-preset_editor', reach: openPresetEditor },
  {
    name: 'dial-preset_active',
    async reach(stage) {
      await makePreset(stage);
      await stage.waitFor('.preset-chip[aria-pressed=true]');
    },
  },
  {
    name: 'dial-find',
    async reach(stage) {
      await openFinder(stage, 'desk');
      await stage.waitFor('.find');
    },
  },
  { name: 'dial-find_nothing', reach: (stage) => openFinder(stage, 'xylophone') },
  {
    name: 'dial-removed',
    async reach(stage) {
      await openRowMenu(stage);
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.waitFor('[data-available]');
      await stage.app
        .locator('[data-available]')
        .first()
        .evaluate((row) => row.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'dial-undo',
    async reach(stage) {
      await openRowMenu(stage);
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.waitFor('.toast button');
    },
  },
  ...IMPORT_EXPORT_STATES,
  {
    name: 'dial-help',
    async reach(stage) {
      await openDial(stage);
      await stage.click('.section-head .icon-button');
      await stage.waitFor(SHEET);
    },
  },
  {
    name: 'dial-merged',
    async reach(stage) {
      await stage.signIn('reader');
      // The server returns the entries in the order that another device set.
      await stage.modifyResponse(
        LINEUP,
        ({ entries, version, ...body }) => ({
          ...{ ...body, entries: listOf(entries).toReversed(), version: Number(version) + 1 },
          ordered: Date.now(),
        }),
        'PUT',
      );
      await openRowMenu(stage);
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.app.locator('.lineup-note .link').nth(1).waitFor();
    },
  },
  {
    name: 'dial-waiting',
    async reach(stage) {
      await stage.signIn('reader');
      await openRowMenu(stage);
      await stage.page.context().setOffline(true);
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.waitFor('.lineup-note:not(.hint)');
    },
  },
  {
    name: 'dial-refused',
    async reach(stage) {
      await stage.signIn('reader');
      await openRowMenu(stage);
      await stage.stubResponse(LINEUP, { status: 422, body: { detail: 'A line-up holds at most 1000 channels.' } });
      await stage.app.locator('dialog button.menu-item').last().click();
      await stage.waitFor('.lineup-note.unsaved');
    },
  },
  {
    name: 'dial-all_muted',
    async reach(stage) {
      await runBulkAction(stage, BULK_MUTE);
      await stage.click('dialog .menu-item');
      await stage.waitFor('.row.muted');
      await stage.click('.section-edit');
    },
  },
  {
    name: 'dial-all_off',
    async reach(stage) {
      await runBulkAction(stage, BULK_UNFOLLOW);
      await stage.waitFor('.dial-now .empty');
    },
  },
  stubbedState('dial-empty', [CHANNELS, { body: NO_CHANNELS }], '/changer', `${EMPTY} a[href="/test"]`),
  {
    name: 'dial-empty_operator',
    async reach(stage) {
      await stage.signIn('operator');
      await stage.stubResponse(CHANNELS, { body: NO_CHANNELS });
      await stage.open('/changer', '.empty code');
    },
  },
  {
    name: 'dial-250',
    async reach(stage) {
      await stage.modifyResponse(CHANNELS, repeatChannels(250));
      await stage.open('/changer?n=120', '.card-number');
      await stage.app.locator('#my-line-up').evaluate((heading) => heading.scrollIntoView());
    },
  },
  stubbedState('dial-failed', [CHANNELS, SERVER_ERROR], '/changer', FAILED),
  {
    name: 'dial-cached',
    async reach(stage) {
      await openDial(stage);
      await stage.page.waitForLoadState('networkidle');
      await stage.stubResponse(API, 'down');
      await openDial(stage);
      await stage.waitFor('.lineup-note:not(.hint)');
    },
  },
  loadingState('dial-skeleton', '/changer', '.card-skeleton'),
];

/** Opens the dial, and types a text into its search field. */
async function openFinder(stage: Stage, typed: string): Promise<void> {
  await openDial(stage);
  await stage.click('.bar .icon-button[aria-expanded]');
  await stage.app.locator('.find input').fill(typed);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
