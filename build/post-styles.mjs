import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BROWSER_TARGETS } from './app-bundle.mjs';
import { readStyles } from './css-text.mjs';
import { importBundle, sourceText } from './import-bundle.mjs';

/** Style sheets of the tags with posts, in the order of elements/define-element.ts. */
const STYLE_SHEETS = [
  'src/components/styles/tokens.css',
  'src/components/styles/base.css',
  'src/features/post-list/post-list.css',
];

/** Post styles: builds the style sheet that the server-rendered tags share, at `POST_STYLES_PATH` in `<web>`. */
export async function buildPostStyles(web) {
  const { POST_STYLES_PATH } = await importBundle(sourceText(["export * from './contract/prerender.ts';"]));
  const styles = await Promise.all(STYLE_SHEETS.map((path) => readStyles(path, BROWSER_TARGETS)));
  const file = join(web, POST_STYLES_PATH);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, styles.map(({ text }) => text).join('\n'));
}
