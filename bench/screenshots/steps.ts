// Screenshot steps that several states share. They are independent of the language: they select elements by their role
// or class, not by their text.
import { API } from './paths.ts';
import type { Stage, State, Stub } from './state.ts';

/** Selectors: a post, the card of the dial with its posts, and an open dialog. */
export const ARTICLE = 'article:not(.service)';
export const CARD = '.card-posts time';
export const SHEET = 'dialog[open]';

/** Error state with a retry button. */
export const FAILED = 'slot > .empty .actions > button';
/** Empty state with its reason. */
export const EMPTY = ':not(slot) > .empty';

/** State of a path without further steps. */
export const shown = (name: string, path: string, selector: string): State => ({
  name,
  reach: (stage) => stage.open(path, selector),
});

/** State of a path with a replaced response of the server. */
export const stubbedState = (name: string, [apiPath, response]: Stub, path: string, selector: string): State => ({
  name,
  async reach(stage) {
    await stage.stubResponse(apiPath, response);
    await stage.open(path, selector);
  },
});

/** State of a path while no response arrives. */
export const loadingState = (name: string, path: string, selector: string, apiPath = API): State => ({
  ...stubbedState(name, [apiPath, 'never'], path, selector),
  unfinished: true,
});

/** Opens the dial, and waits for the posts of its card. */
export const openDial = (stage: Stage, path = '/changer') => stage.open(path, CARD);

/** Opens the dial, and starts to edit the line-up. */
export async function openLineupEditor(stage: Stage): Promise<void> {
  await openDial(stage);
  await stage.click('.section-edit');
  await stage.waitFor('.bulk');
}

/** Indices of buttons in the toolbar of the bulk actions. */
export const BULK_UNFOLLOW = 0;
export const BULK_MUTE = 1;
export const BULK_PRESET = 4;

/** Selects every row of the line-up, and presses a button of the bulk actions. */
export async function runBulkAction(stage: Stage, button: number): Promise<void> {
  await openLineupEditor(stage);
  await stage.click('.bulk-all');
  await stage.click('.bulk-button', button);
}

/** Creates a preset of the first three channels, and activates it. */
export async function makePreset(stage: Stage): Promise<void> {
  await openPresetEditor(stage);
  await stage.app.locator('.preset-editor input').first().fill('Morning');
  await stage.click('.preset-editor [type=submit]');
  await stage.app.locator(SHEET).waitFor({ state: 'detached' });
}

/** Opens the dial and the editor of a new preset, with three channels selected. */
export async function openPresetEditor(stage: Stage): Promise<void> {
  await openDial(stage);
  await stage.click('.preset-chip');
  await stage.click('.presets-new');
  await stage.waitFor('.preset-editor');
  for (const index of [0, 1, 2]) await stage.app.locator('.preset-editor [type=checkbox]').nth(index).check();
}

/** Opens the menu of a row of the line-up. */
export async function openRowMenu(stage: Stage, index = 1): Promise<void> {
  await openDial(stage);
  await stage.click('.rows [data-row] .row-controls [aria-haspopup]', index);
  await stage.waitFor(SHEET);
}
