// `npm run bench [sizes] [api] [pages]`: sizes against the stack's floor, the API against a bare server, page loads under a
// slowed processor and network. Without names all three.
import { benchApi } from './api.ts';
import { benchPages } from './pages.ts';
import { benchSizes } from './sizes.ts';

const BENCHES = { sizes: benchSizes, api: benchApi, pages: benchPages };
type Name = keyof typeof BENCHES;

const asked = process.argv.slice(2);
const names = (Object.keys(BENCHES) as Name[]).filter((name) => asked.length === 0 || asked.includes(name));
for (const name of names) {
  console.log(`\n${name}`);
  console.table(await BENCHES[name]());
}
