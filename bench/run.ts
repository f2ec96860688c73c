// `npm run bench [sizes] [start] [api] [search] [pages] [tags] [scroll] [flip] [live] [load] [offline] [growing]
// [hostile] [notifications]` runs these benchmarks, or all of them without names:
// - sizes: bundle sizes compared with the minimum of the stack
// - start: time until the server listens
// - api: the API compared with a bare server
// - search: searches over a million posts
// - pages: page loads compared with a static page of the same posts, with a slowed CPU and network (medians of
//   `BENCH_RUNS`, 5 by default)
// - tags: tags on a third-party page compared with other embeds (medians of `BENCH_RUNS`, 3 by default)
// - scroll: scrolling through thousands of posts
// - flip: flips of the dial
// - live: time until a new post is on an open page
// - load: a day with very high traffic, of `BENCH_SECONDS` (600), on one process or with `BENCH_SERVERS=2` on a pair
// - offline: starts and searches without a network
// - growing: the cost of a million posts in ten thousand channels on both engines (docs/growing.md)
// - hostile: how long untrusted input blocks the server (docs/hostile.md)
// - notifications: 10,000 subscribers of a channel, and matching with up to 100,000 choices (docs/notifications.md)
import { benchApi } from './api.ts';
import { benchFlip } from './flip.ts';
import { benchGrowing } from './growing.ts';
import { benchHostile } from './hostile.ts';
import { benchLive } from './live.ts';
import { benchLoad } from './load.ts';
import { benchNotifications } from './notifications.ts';
import { benchOffline } from './offline.ts';
import { benchPages } from './pages.ts';
import { benchScroll } from './scroll.ts';
import { benchSearch } from './search.ts';
import { benchSizes } from './sizes.ts';
import { benchStart } from './start.ts';
import { benchTags } from './tags.ts';

const BENCHES = {
  sizes: benchSizes,
  start: benchStart,
  api: benchApi,
  search: benchSearch,
  pages: benchPages,
  tags: benchTags,
  scroll: benchScroll,
  flip: benchFlip,
  live: benchLive,
  load: benchLoad,
  offline: benchOffline,
  growing: benchGrowing,
  hostile: benchHostile,
  notifications: benchNotifications,
};
type Name = keyof typeof BENCHES;

const requested = process.argv.slice(2);
const names = (Object.keys(BENCHES) as Name[]).filter((name) => requested.length === 0 || requested.includes(name));
for (const name of names) {
  console.log(`\n${name}`);
  console.table(await BENCHES[name]());
}
