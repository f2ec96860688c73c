/** Screenshot states of the other pages: self-test, account, privacy, and tags on a third-party page. */
import { API, CHANNELS, GAZETTE } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE, CARD, SHEET, shown } from './steps.ts';

const DONE = '.verdict[aria-busy=false]';
/** Button of the reader's menu: a tab on a phone, the footer of the sidebar in a wide window. */
const READER_BUTTON = '.tabs button:visible, .reader-button:visible';

async function openReaderMenu(stage: Stage): Promise<void> {
  await stage.open('/main', ARTICLE);
  await stage.click(READER_BUTTON);
  await stage.waitFor(SHEET);
}

const SESSIONS = /^\/api\/me\/sessions$/;
const HOUR_MS = 3_600_000;
/** Session that was last used some hours ago. 0 is the current session. */
const session = (id: string, hoursAgo: number) => ({
  ...{ id, current: hoursAgo === 0 },
  lastUsed: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
});

async function openAccount(stage: Stage, items = [session('here', 0), session('phone', 2), session('old', 20)]): Promise<void> {
  await stage.signIn('reader');
  await stage.stubResponse(SESSIONS, { body: { items } });
  await openReaderMenu(stage);
  await stage.click('.reader-links button');
  await stage.waitFor('.sessions li');
}

/** State of a page of another site with one tag. */
const embed = (tag: string, attributes: Readonly<Record<string, string>>, selector: string): State => ({
  name: `embed-${tag}`,
  browserOnly: true,
  async reach(stage) {
    await stage.page.goto(`${stage.thirdPartyOrigin}/changer-${tag}?${new URLSearchParams(attributes)}`);
    await stage.waitFor(selector);
  },
});

/**
 * State of such a page while our server is unreachable: the site's own text is displayed instead of the tag's content.
 */
const unreachableEmbed = (tag: string): State => ({
  name: `embed-${tag}_down`,
  browserOnly: true,
  async reach(stage) {
    await stage.stubResponse(API, 'down');
    await embed(tag, {}, '.own').reach(stage);
  },
});

export const OTHER_STATES: readonly State[] = [
  { ...shown('self_test-done', '/test', `${DONE}:not(.fail)`), worker: true },
  {
    name: 'self_test-running',
    brief: true,
    unfinished: true,
    async reach(stage) {
      await stage.stubResponse(API, 'never');
      await stage.open('/test', '.check.running');
      await stage.waitFor('.verdict[aria-busy=true]');
    },
  },
  {
    name: 'self_test-failed',
    async reach(stage) {
      await stage.stubResponse(API, { status: 503, body: { detail: 'The server is being moved.' } });
      await stage.open('/test', `${DONE}.fail`);
    },
  },
  {
    name: 'self_test-repair',
    async reach(stage) {
      await stage.open('/test', DONE);
      await stage.click('.repair [aria-haspopup]');
      await stage.waitFor(SHEET);
    },
  },
  shown('not_found-page', '/nothing/here', '.lone'),
  { ...shown('close-page', '/webapp/close', '.lone'), browserOnly: true },
  { name: 'reader-menu', anchored: true, reach: openReaderMenu },
  {
    name: 'reader-signed_in',
    anchored: true,
    async reach(stage) {
      await stage.signIn('reader');
      await openReaderMenu(stage);
    },
  },
  {
    name: 'reader-keys',
    anchored: true,
    async reach(stage) {
      await openReaderMenu(stage);
      await stage.click('.reader-keys');
      await stage.waitFor('.help-switch');
    },
  },
  { name: 'account-sessions', reach: openAccount },
  { name: 'account-one', reach: (stage) => openAccount(stage, [session('here', 0)]) },
  {
    name: 'account-failed',
    async reach(stage) {
      await stage.signIn('reader');
      await stage.stubResponse(SESSIONS, { status: 500, body: { detail: 'It broke.', requestId: '0f5ba2c7-3c1e-4e5b-9d0a' } });
      await openReaderMenu(stage);
      await stage.click('.reader-links button');
      await stage.waitFor('.account-trouble small');
    },
  },
  {
    name: 'account-delete',
    async reach(stage) {
      await openAccount(stage);
      await stage.click('.account-erase');
      await stage.waitFor('.account-acts');
    },
  },
  {
    name: 'account-deleted',
    async reach(stage) {
      await openAccount(stage);
      await stage.click('.account-erase');
      await stage.click('.account-acts .danger');
      await stage.waitFor('dialog.shell-failure');
    },
  },
  {
    name: 'privacy-page',
    browserOnly: true,
    async reach(stage) {
      await stage.page.goto(`${stage.origin}/privacy`);
      await stage.waitFor('main');
    },
  },
  {
    name: 'layout-long_lineup',
    async reach(stage) {
      await stage.modifyResponse(CHANNELS, (body) => ({
        ...body,
        items: [0, 1, 2].flatMap((round) =>
          body.items.map((item) => (round === 0 ? item : { ...item, id: `${item.id}${round}` })),
        ),
      }));
      await stage.open(GAZETTE, ARTICLE);
    },
  },
  embed('channel', { 'channel-id': 'harbour_gazette_demo' }, ARTICLE),
  embed('feed', { channels: 'harbour_gazette_demo,night_sky_demo', limit: '5' }, ARTICLE),
  embed('dial', {}, CARD),
  embed('search', {}, '.search-start'),
  embed('self-test', {}, DONE),
  embed('not-found', {}, '.lone'),
  embed('close-webapp', {}, '.lone'),
  unreachableEmbed('feed'),
];
