import { API } from './paths.ts';
import type { Stage, State, Stub } from './state.ts';

// Ways that several states take, in no language: by what things are, not by what they are called.

export const ARTICLE = 'article:not(.service)';
export const CARD = '.card-posts time';
export const SHEET = 'dialog[open]';

/** Says that something could not be loaded, and offers to try again. */
export const FAILED = 'slot > .empty .actions > button';
/** Says that there is nothing, and why. */
export const EMPTY = ':not(slot) > .empty';

/** What an address shows by itself. */
export const shown = (name: string, path: string, selector: string): State => ({
  name,
  reach: (stage) => stage.open(path, selector),
});

/** What an address shows where the server answers so. */
export const stubbed = (name: string, [asked, answer]: Stub, path: string, selector: string): State => ({
  name,
  async reach(stage) {
    await stage.answer(asked, answer);
    await stage.open(path, selector);
  },
});

/** What an address shows as long as no answer comes. */
export const awaited = (name: string, path: string, selector: string, asked = API): State => ({
  ...stubbed(name, [asked, 'never'], path, selector),
  unfinished: true,
});

export const dial = (stage: Stage, path = '/changer') => stage.open(path, CARD);

export async function edit(stage: Stage): Promise<void> {
  await dial(stage);
  await stage.click('.section-edit');
  await stage.see('.bulk');
}

/** Checks every row of the line-up, and presses a button of what can be done to all. */
export async function editAll(stage: Stage, button: number): Promise<void> {
  await edit(stage);
  await stage.click('.bulk-all');
  await stage.click('.bulk-button', button);
}

/** Makes a preset of the first three channels, and puts it on. */
export async function makePreset(stage: Stage): Promise<void> {
  await openPresetEditor(stage);
  await stage.app.locator('.preset-editor input').first().fill('Morning');
  await stage.click('.preset-editor [type=submit]');
  await stage.app.locator(SHEET).waitFor({ state: 'detached' });
}

/** Opens the dial and on it a new preset, three channels checked. */
export async function openPresetEditor(stage: Stage): Promise<void> {
  await dial(stage);
  await stage.click('.preset-chip');
  await stage.click('.presets-new');
  await stage.see('.preset-editor');
  for (const at of [0, 1, 2]) await stage.app.locator('.preset-editor [type=checkbox]').nth(at).check();
}

/** Opens the menu of a row of the line-up. */
export async function openRowMenu(stage: Stage, at = 1): Promise<void> {
  await dial(stage);
  await stage.click('.rows [data-row] .row-controls [aria-haspopup]', at);
  await stage.see(SHEET);
}
