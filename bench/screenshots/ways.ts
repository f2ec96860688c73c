import type { Stage } from './state.ts';

// Ways that several states take, in no language: by what things are, not by what they are called.

export const ARTICLE = 'article:not(.service)';
export const CARD = '.card-posts time';
export const SHEET = 'dialog[open]';

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
