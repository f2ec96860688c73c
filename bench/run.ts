// `npm run bench [sizes] [start] [api] [search] [pages] [tags] [scroll] [flip] [live] [load] [kept] [growing] [hostile]`: sizes against the
// stack's floor, how soon the server listens, the API against a bare server, searches of a million posts, page loads under a slowed
// processor and network, tags on a foreign page beside others' (medians of BENCH_RUNS, else of 3), thousands of posts scrolled,
// how soon a post is on an open page, a front-page day of BENCH_SECONDS (600), starts and searches without a network, what a
// million posts in ten thousand channels cost on both engines (docs/growing.md), how long what strangers send blocks the server
// (docs/hostile.md). Without names all.
import { benchApi } from './api.ts';
import { benchFlip } from './flip.ts';
import { benchGrowing } from './growing.ts';
import { benchHostile } from './hostile.ts';
import { benchKept } from './kept.ts';
import { benchLive } from './live.ts';
import { benchLoad } from './load.ts';
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
  kept: benchKept,
  growing: benchGrowing,
  hostile: benchHostile,
};
type Name = keyof typeof BENCHES;

const asked = process.argv.slice(2);
const names = (Object.keys(BENCHES) as Name[]).filter((name) => asked.length === 0 || asked.includes(name));
for (const name of names) {
  console.log(`\n${name}`);
  console.table(await BENCHES[name]());
}
