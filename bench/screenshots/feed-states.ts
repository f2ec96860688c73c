/** Screenshot states of the feed. */
import { API, CHANNELS, EVENTS, FEED, NO_CHANNELS, NO_POSTS, SERVER_ERROR } from './paths.ts';
import type { Body, Stage, State } from './state.ts';
import {
  ARTICLE,
  BULK_MUTE,
  BULK_UNFOLLOW,
  EMPTY,
  FAILED,
  loadingState,
  makePreset,
  runBulkAction,
  shown,
  stubbedState,
} from './steps.ts';

const TOAST = '.toast';
/** Id in the format of the server's event ids, which have 22 characters. */
const EVENT_ID = 'a'.repeat(22);

const openFeed = (stage: Stage) => stage.open('/main', ARTICLE);
const markAllRead = (stage: Stage) => stage.click('.feed-page .bar button');

/** Opens the feed as a returning reader, after each channel has published new posts. */
async function openWithNewPosts(stage: Stage): Promise<void> {
  await stage.modifyResponse(CHANNELS, (body) => ({ ...body, items: body.items.map((channel) => withOlderLatest(channel, 3)) }));
  await openFeed(stage);
  await markAllRead(stage);
  await stage.waitFor(TOAST);
  await stage.page.unrouteAll({ behavior: 'wait' });
  await openFeed(stage);
  await stage.waitFor('.float .pill');
}

/** Returns a channel without its latest `posts` posts, as it was earlier. */
function withOlderLatest(channel: Body['items'][number], posts: number): object {
  const { id, date } = Object(channel.latest);
  return typeof id === 'number' ? { ...channel, latest: { id: Math.max(1, id - posts), date } } : channel;
}

/** Replaces the event stream by one with a single event: a new post, which is a copy of the newest one. */
async function stubNewPostEvent(stage: Stage): Promise<void> {
  const { items, channels } = await (await fetch(`${stage.origin}/api/feed?limit=1`)).json();
  const [newest] = items;
  const event = { type: 'new', post: { ...newest, id: newest.id + 10, date: newest.date + 60 }, channel: channels[0] };
  await stage.page.route(
    (url) => EVENTS.test(url.pathname),
    (route) => route.fulfill({ contentType: 'text/event-stream', body: `id: ${EVENT_ID}\ndata: ${JSON.stringify(event)}\n\n` }),
  );
}

export const FEED_STATES: readonly State[] = [
  shown('feed-top', '/main', ARTICLE),
  {
    name: 'feed-scrolled',
    async reach(stage) {
      await openFeed(stage);
      await stage.app
        .locator(ARTICLE)
        .nth(4)
        .evaluate((article) => article.scrollIntoView());
    },
  },
  { name: 'feed-continue', reach: openWithNewPosts },
  {
    name: 'feed-divider',
    async reach(stage) {
      await openWithNewPosts(stage);
      await stage.click('.float .pill');
      await stage.waitFor('.divider');
    },
  },
  shown('feed-unread', '/main?show=unread', ARTICLE),
  shown('feed-media', '/main?show=media', `${ARTICLE} img`),
  {
    name: 'feed-starred',
    async reach(stage) {
      await openFeed(stage);
      for (const index of [0, 1]) await stage.click('.post-actions [aria-pressed]', index);
      await stage.click('.chips a[href*=starred]');
      await stage.waitFor(`${ARTICLE} .starred`);
    },
  },
  {
    name: 'feed-preset',
    async reach(stage) {
      await makePreset(stage);
      await openFeed(stage);
      await stage.click('.feed-page .chips a[href*=preset]');
      await stage.waitFor('.feed-page .chips a[href*=preset][aria-current]');
      await stage.waitFor(ARTICLE);
    },
  },
  shown('feed-empty-starred', '/main?show=starred', `${EMPTY} a[href="/main"]`),
  {
    name: 'feed-empty-unread',
    async reach(stage) {
      await openFeed(stage);
      await markAllRead(stage);
      await stage.click('.chips a[href*=unread]');
      await stage.waitFor(`${EMPTY} a[href="/main"]`);
    },
  },
  stubbedState('feed-empty-media', [FEED, { body: NO_POSTS }], '/main?show=media', `${EMPTY} a[href="/main"]`),
  stubbedState('feed-empty', [FEED, { body: NO_POSTS }], '/main', `${EMPTY} a[href="/changer"]`),
  {
    name: 'feed-no_channel',
    async reach(stage) {
      await stage.stubResponse(CHANNELS, { body: NO_CHANNELS });
      await stage.stubResponse(FEED, { body: NO_POSTS });
      await stage.open('/main', `${EMPTY} a[href="/test"]`);
    },
  },
  {
    name: 'feed-no_active_channel',
    async reach(stage) {
      await runBulkAction(stage, BULK_UNFOLLOW);
      await stage.waitFor('.dial-now .empty');
      await stage.open('/main', `${EMPTY} a[href="/changer"]`);
    },
  },
  {
    name: 'feed-all_muted',
    async reach(stage) {
      await runBulkAction(stage, BULK_MUTE);
      await stage.click('dialog .menu-item');
      await stage.waitFor('.row.muted');
      await stage.open('/main', `${EMPTY} a[href="/changer"]`);
    },
  },
  {
    name: 'feed-cached',
    async reach(stage) {
      await openFeed(stage);
      await stage.stubResponse(API, 'down');
      await openFeed(stage);
      await stage.waitFor('.notice .link');
    },
  },
  {
    name: 'feed-offline',
    async reach(stage) {
      await openFeed(stage);
      await stage.page.waitForLoadState('networkidle');
      await stage.page.context().setOffline(true);
      await stage.waitFor('.connection, .side-foot .waiting');
    },
  },
  stubbedState('feed-failed', [FEED, SERVER_ERROR], '/main', FAILED),
  stubbedState('feed-unreachable', [API, 'down'], '/main', FAILED),
  {
    name: 'feed-more_failed',
    async reach(stage) {
      await openFeed(stage);
      await stage.stubResponse(FEED, 'down');
      for (let buttons = 0; buttons === 0; buttons = await stage.app.locator('.edge .button').count())
        await stage.app
          .locator(ARTICLE)
          .last()
          .evaluate((article) => article.scrollIntoView());
      await stage.app.locator('.edge .button').evaluate((button) => button.scrollIntoView({ block: 'center' }));
    },
  },
  loadingState('feed-skeleton', '/main', '.skeletons'),
  {
    name: 'feed-new_posts',
    async reach(stage) {
      await stubNewPostEvent(stage);
      await openFeed(stage);
      await stage.waitFor('.fresh .pill');
    },
  },
  {
    name: 'feed-undo',
    brief: true,
    async reach(stage) {
      await openFeed(stage);
      await markAllRead(stage);
      await stage.waitFor(TOAST);
    },
  },
];
