import { API, CHANNELS, GAZETTE } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE, SHEET } from './ways.ts';

const DONE = '.verdict[aria-busy=false]';
/** The tab on a phone, the foot of the side bar on a desk. */
const READER = '.tabs button:visible, .reader-button:visible';

async function openReader(stage: Stage): Promise<void> {
  await stage.open('/main', ARTICLE);
  await stage.click(READER);
  await stage.see(SHEET);
}

/** A page of another site that holds one tag. */
function embed(tag: string, attributes: string, seen: string, answer?: 'down'): State {
  return {
    name: `embed-${tag}${answer === undefined ? '' : `_${answer}`}`,
    browserOnly: true,
    async reach(stage) {
      const { page, origin } = stage;
      const name = `changer-${tag}`;
      // Another origin of the same machine.
      const site = origin.replace('localhost', '127.0.0.1');
      const body = `<!doctype html><html><meta charset="utf-8"><title>A site</title>
<body style="margin: 0 auto; max-width: 60rem; padding: 1rem; font: 18px/1.6 Georgia, serif; color-scheme: light dark">
<h1>The town of Tidewick</h1><p>What the harbour says today, on a page of somebody else’s:</p>
<script type="module" src="${origin}/elements/${name}.js"></script><${name} ${attributes}><p>The site’s own words.</p></${name}>
<p>The page goes on below.</p>`;
      if (answer !== undefined) await stage.answer(API, answer);
      await page.route(`${site}/`, (route) => route.fulfill({ contentType: 'text/html', body }));
      await page.goto(`${site}/`);
      await stage.see(seen);
    },
  };
}

export const OTHER_STATES: readonly State[] = [
  { name: 'self_test-done', reach: (stage) => stage.open('/test', DONE) },
  {
    name: 'self_test-running',
    unfinished: true,
    async reach(stage) {
      await stage.answer(/^\/api\/version$/, 'never');
      await stage.open('/test', '.check.running');
    },
  },
  {
    name: 'self_test-failed',
    async reach(stage) {
      await stage.answer(API, { status: 503, body: { detail: 'The server is being moved.' } });
      await stage.open('/test', `${DONE}.fail`);
    },
  },
  {
    name: 'self_test-repair',
    async reach(stage) {
      await stage.open('/test', DONE);
      await stage.click('.repair [aria-haspopup]');
      await stage.see(SHEET);
    },
  },
  { name: 'not_found-page', reach: (stage) => stage.open('/nothing/here', '.lone') },
  { name: 'close-page', browserOnly: true, reach: (stage) => stage.open('/webapp/close', '.lone') },
  { name: 'reader-menu', anchored: true, reach: openReader },
  {
    name: 'reader-signed_in',
    anchored: true,
    async reach(stage) {
      await stage.signIn('reader');
      await openReader(stage);
    },
  },
  {
    name: 'reader-keys',
    anchored: true,
    async reach(stage) {
      await openReader(stage);
      await stage.click('.reader-keys');
      await stage.see('.help-switch');
    },
  },
  {
    name: 'layout-long_lineup',
    async reach(stage) {
      await stage.change(CHANNELS, (body) => ({
        ...body,
        items: [0, 1, 2].flatMap((round) =>
          body.items.map((item) => (round === 0 ? item : { ...item, id: `${item.id}${round}` })),
        ),
      }));
      await stage.open(GAZETTE, ARTICLE);
    },
  },
  embed('channel', 'channel-id="harbour_gazette_demo"', ARTICLE),
  embed('feed', 'channels="harbour_gazette_demo,night_sky_demo" limit="5"', ARTICLE),
  embed('dial', '', '.card-posts time'),
  embed('search', '', '.search-start'),
  embed('self-test', '', DONE),
  embed('not-found', '', '.lone'),
  embed('close-webapp', '', '.lone'),
  embed('channel', 'channel-id="harbour_gazette_demo"', 'text=The site’s own words', 'down'),
];
