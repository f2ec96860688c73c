/** Screenshot states of the import and export of a line-up, below the dial. */
import { CHANNELS } from './paths.ts';
import type { Stage, State } from './state.ts';
import { openDial, SHEET, shown } from './steps.ts';

/** State of a sheet that a button below the line-up opens, in the section for external feeds. */
const externalFeedSheet = (name: string, index: number): State => ({
  name: `dial-${name}`,
  async reach(stage) {
    await openDial(stage);
    await stage.click('.elsewhere-ways [aria-haspopup]', index);
    await stage.waitFor(SHEET);
  },
});

const OPML = `<opml version="2.0"><body><outline text="Sea"><outline text="Tides" xmlUrl="https://tides.example/feed"/>
<outline text="Fog signals" xmlUrl="https://fog.example/rss"/></outline><outline text="Bread" xmlUrl="https://bread.example/atom"/></body></opml>`;

/** Opens the dial, imports a file with three feeds, and waits for the choice of its channels. */
async function openChannelPicker(stage: Stage): Promise<void> {
  await openDial(stage);
  await stage.click('.elsewhere-ways [aria-haspopup]');
  await stage.app.locator('dialog textarea').fill(OPML);
  await stage.click('dialog .sheet-actions [type=submit]');
  await stage.waitFor('.pick-row');
}

export const IMPORT_EXPORT_STATES: readonly State[] = [
  {
    name: 'dial-external_feeds',
    async reach(stage) {
      await openDial(stage);
      await stage.app.locator('.elsewhere').evaluate((section) => section.scrollIntoView({ block: 'center' }));
    },
  },
  {
    name: 'dial-feed_refused',
    async reach(stage) {
      await openDial(stage);
      await stage.app.locator('.add-feed input').fill('https://nothing.invalid/feed');
      await stage.click('.add-feed [type=submit]');
      await stage.waitFor('.add-feed .error:not(:empty)');
      await stage.app.locator('.elsewhere').evaluate((section) => section.scrollIntoView({ block: 'center' }));
    },
  },
  externalFeedSheet('import', 0),
  {
    name: 'dial-import_pick',
    reach: openChannelPicker,
  },
  {
    name: 'dial-import_report',
    async reach(stage) {
      await stage.stubResponse(/^\/api\/feeds/, { status: 422, body: { detail: 'There is no feed at this address.' } });
      await openChannelPicker(stage);
      await stage.click('dialog .sheet-actions [type=submit]');
      await stage.waitFor('.not-brought');
    },
  },
  externalFeedSheet('share', 1),
  {
    name: 'dial-shared',
    async reach(stage) {
      await openDial(stage);
      await stage.click('.elsewhere-ways [aria-haspopup]', 1);
      const link = await stage.app.locator('dialog textarea, dialog input[readonly]').first().inputValue();
      const code = /(?:lineup=|startapp=l_)(.+)$/.exec(link)?.[1] ?? '';
      // A different reader, who has one channel less.
      await stage.modifyResponse(CHANNELS, (body) => ({ ...body, items: body.items.slice(1) }));
      await stage.open(`/changer?lineup=${code}`, '.shared-ways');
    },
  },
  shown('dial-shared_broken', '/changer?lineup=broken', 'dialog [role=alert]'),
];
