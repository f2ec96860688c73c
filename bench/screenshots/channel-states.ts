/** Screenshot states of the channel page and of the media viewer. */
import { CHANNEL, CHANNEL_POSTS, GAZETTE, HIDDEN_POST_ID, NO_POSTS, OBSERVER, SERVER_ERROR } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE, EMPTY, FAILED, loadingState, shown, stubbedState } from './steps.ts';

const VIEWER = 'dialog.viewer[open]';

/** Opens the media viewer with the first photo of an album. */
async function openViewer(stage: Stage): Promise<void> {
  await stage.open(`${GAZETTE}?post=57`, `${ARTICLE} .album .open`);
  await stage.click(`${ARTICLE}[data-key$="/57"] .album .open`);
  await stage.waitFor(`${VIEWER} img`);
}

export const CHANNEL_STATES: readonly State[] = [
  shown('channel-top', GAZETTE, ARTICLE),
  shown('channel-arabic', OBSERVER, ARTICLE),
  shown('channel-russian', '/channel/tram_five_demo', ARTICLE),
  {
    name: 'channel-scrolled',
    async reach(stage) {
      await stage.open(GAZETTE, ARTICLE);
      await stage.app
        .locator(ARTICLE)
        .nth(5)
        .evaluate((article) => article.scrollIntoView());
    },
  },
  shown('channel-media', `${GAZETTE}?media=1`, `${ARTICLE} img`),
  shown('channel-grid', `${GAZETTE}?media=1&as=grid`, '.media-grid img'),
  shown('channel-grid_arabic', `${OBSERVER}?media=1&as=grid`, '.media-grid img'),
  shown('channel-grid_spoiler', '/channel/cine_lanterne_demo?media=1&as=grid', '.media-grid li'),
  {
    name: 'channel-grid_viewer',
    brief: true,
    async reach(stage) {
      await stage.open(`${GAZETTE}?media=1&as=grid`, '.media-grid img');
      await stage.click('.media-grid button');
      await stage.waitFor(`${VIEWER} img`);
    },
  },
  {
    name: 'channel-date_sheet',
    async reach(stage) {
      await stage.open(GAZETTE, ARTICLE);
      await stage.click('.channel-tools [aria-haspopup=dialog]');
      await stage.waitFor('dialog.sheet[open]');
    },
  },
  shown('channel-search', `${GAZETTE}?q=ferry`, `.channel-search ${ARTICLE} mark`),
  shown('channel-no_match', `${GAZETTE}?q=xylophone`, `.channel-search ${EMPTY}`),
  ...[GAZETTE, OBSERVER].map((path) => ({
    name: path === GAZETTE ? 'channel-pins' : 'channel-pins_arabic',
    brief: true,
    async reach(stage: Stage) {
      await stage.modifyResponse(CHANNEL, (body) => ({ ...body, pinned: 50, pinnedPosts: [50, 57, 40] }));
      await stage.open(path, ARTICLE);
      await stage.waitFor('.pinned-line button');
    },
  })),
  shown('channel-post', `${GAZETTE}?post=50`, `${ARTICLE}[data-key$="/50"][aria-current]`),
  {
    name: 'channel-deleted_post',
    async reach(stage) {
      // The post was deleted after the list around it was requested.
      await stage.modifyResponse(CHANNEL_POSTS, (body) => ({ ...body, items: body.items.filter(({ id }) => id !== 50) }));
      await stage.open(`${GAZETTE}?post=50`, '.channel-page .notice');
    },
  },
  shown('channel-no_post', `${GAZETTE}?post=${HIDDEN_POST_ID}`, `${EMPTY} button`),
  shown('channel-no_channel', '/channel/nobody_has_this_name', '.empty a[href="/changer"]'),
  {
    name: 'channel-paused',
    async reach(stage) {
      const since = Math.floor(Date.now() / 1000) - 400_000;
      await stage.modifyResponse(CHANNEL, (body) => ({ ...body, state: 'paused', since, members: 12_408, private: true }));
      await stage.open(GAZETTE, ARTICLE);
    },
  },
  stubbedState('channel-empty', [CHANNEL_POSTS, { body: NO_POSTS }], GAZETTE, EMPTY),
  stubbedState('channel-failed', [CHANNEL_POSTS, SERVER_ERROR], GAZETTE, FAILED),
  loadingState('channel-skeleton', GAZETTE, '.skeletons'),
  {
    name: 'channel-left',
    brief: true,
    async reach(stage) {
      await stage.open(GAZETTE, ARTICLE);
      await stage.click('.channel-acts [aria-pressed]');
      await stage.waitFor('.toast');
    },
  },
  { name: 'viewer-photo', reach: openViewer },
  {
    name: 'viewer-next',
    async reach(stage) {
      await openViewer(stage);
      await stage.click('.viewer-next');
      await stage.waitFor('.viewer-previous');
    },
  },
  {
    name: 'viewer-zoomed',
    async reach(stage) {
      await openViewer(stage);
      await stage.click('.viewer-bar [aria-pressed]');
      await stage.waitFor('.viewer-stage.zoomed');
    },
  },
  {
    name: 'viewer-bare',
    async reach(stage) {
      await openViewer(stage);
      await stage.click('.viewer-stage img');
      await stage.waitFor('.viewer.bare');
    },
  },
];
