import { API, BROKEN, CHANNEL, CHANNEL_POSTS, GAZETTE, NO_POSTS, OBSERVER } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE } from './ways.ts';

const EMPTY = '.channel-page .empty';
const VIEWER = 'dialog.viewer[open]';

async function openViewer(stage: Stage): Promise<void> {
  await stage.open(`${GAZETTE}?post=57`, `${ARTICLE} .album .open`);
  await stage.click(`${ARTICLE}[data-key$="/57"] .album .open`);
  await stage.see(`${VIEWER} img`);
}

export const CHANNEL_STATES: readonly State[] = [
  { name: 'channel-top', reach: (stage) => stage.open(GAZETTE, ARTICLE) },
  { name: 'channel-arabic', reach: (stage) => stage.open(OBSERVER, ARTICLE) },
  { name: 'channel-russian', reach: (stage) => stage.open('/channel/tram_five_demo', ARTICLE) },
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
  { name: 'channel-media', reach: (stage) => stage.open(`${GAZETTE}?media=1`, ARTICLE) },
  { name: 'channel-search', reach: (stage) => stage.open(`${GAZETTE}?q=ferry`, ARTICLE) },
  { name: 'channel-no_match', reach: (stage) => stage.open(`${GAZETTE}?q=xylophone`, '.channel-search .empty') },
  { name: 'channel-post', reach: (stage) => stage.open(`${GAZETTE}?post=50`, `${ARTICLE}[aria-current]`) },
  {
    name: 'channel-gone_post',
    reach: (stage) => stage.open(`${GAZETTE}?post=49`, '.channel-page .notice, .channel-page .empty'),
  },
  {
    name: 'channel-no_post',
    async reach(stage) {
      await stage.answer(CHANNEL_POSTS, { status: 404, body: { detail: 'Post 7 is not here.' } });
      await stage.open(`${GAZETTE}?post=7`, EMPTY);
    },
  },
  { name: 'channel-no_channel', reach: (stage) => stage.open('/channel/nobody_has_this_name', '.empty') },
  {
    name: 'channel-paused',
    async reach(stage) {
      const since = Math.floor(Date.now() / 1000) - 400_000;
      await stage.change(CHANNEL, (body) => ({ ...body, state: 'paused', since, members: 12_408, private: true }));
      await stage.open(GAZETTE, ARTICLE);
    },
  },
  {
    name: 'channel-empty',
    async reach(stage) {
      await stage.answer(CHANNEL_POSTS, { body: NO_POSTS });
      await stage.open(GAZETTE, EMPTY);
    },
  },
  {
    name: 'channel-failed',
    async reach(stage) {
      await stage.answer(CHANNEL_POSTS, BROKEN);
      await stage.open(GAZETTE, '.empty');
    },
  },
  {
    name: 'channel-skeleton',
    unfinished: true,
    async reach(stage) {
      await stage.answer(API, 'never');
      await stage.open(GAZETTE, '.skeletons');
    },
  },
  {
    name: 'channel-left',
    async reach(stage) {
      await stage.open(GAZETTE, ARTICLE);
      await stage.click('.channel-acts [aria-pressed]');
      await stage.see('.toast');
    },
  },
  { name: 'viewer-photo', reach: openViewer },
  {
    name: 'viewer-next',
    async reach(stage) {
      await openViewer(stage);
      await stage.click('.viewer-next');
      await stage.see('.viewer-previous');
    },
  },
  {
    name: 'viewer-zoomed',
    async reach(stage) {
      await openViewer(stage);
      await stage.click('.viewer-bar [aria-pressed]');
      await stage.see('.viewer-stage.zoomed');
    },
  },
  {
    name: 'viewer-bare',
    async reach(stage) {
      await openViewer(stage);
      await stage.click('.viewer-stage img');
      await stage.see('.viewer.bare');
    },
  },
];
