import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Contact sheet: writes an index.html for the pictures of a folder. Each state is a row of pictures, grouped by page.
 */
export async function writeContactSheet(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).map((name) => name.slice(0, -'.png'.length));
  const states = groupBy(names.sort(compareNames), stateOf);
  const pages = groupBy([...states], ([state]) => state.split('-')[0] ?? '');
  const links = [...pages.keys()].map((page) => `<a href="#${page}">${page}</a>`).join(' ');
  const sections = [...pages].map(([page, rows]) => `<h2 id="${page}">${page}</h2>${rows.map(rowHtml).join('')}`).join('');
  await writeFile(join(folder, 'index.html'), `${HEAD_HTML}<nav>${links}</nav>${sections}`);
}

function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

const HEAD_HTML = `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>
body { font: 14px system-ui; margin: 16px; background: #888; color: #fff }
nav { position: sticky; top: 0; padding: 8px 0; background: inherit } a { color: inherit }
div { display: flex; gap: 8px; overflow-x: auto; padding-block-end: 8px } figure { margin: 0; flex: none } img { height: 420px }
</style>`;

/** Name of a picture: state, width, theme. */
const NAME_PATTERN = /^(.*?)-(\d+)-(.*)$/;
const stateOf = (name: string): string => NAME_PATTERN.exec(name)?.[1] ?? name;

/** Sorts by state, then by theme, then by width. */
function compareNames(a: string, b: string): number {
  const [, state = '', width = '', theme = ''] = NAME_PATTERN.exec(a) ?? [];
  const [, otherState = '', otherWidth = '', otherTheme = ''] = NAME_PATTERN.exec(b) ?? [];
  return state.localeCompare(otherState) || theme.localeCompare(otherTheme) || Number(width) - Number(otherWidth);
}

const rowHtml = ([state, names]: [string, string[]]): string =>
  `<h3>${state}</h3><div>${names.map((name) => figureHtml(name, name.slice(state.length + 1))).join('')}</div>`;

const figureHtml = (name: string, caption: string): string =>
  `<figure><a href="${name}.png"><img src="${name}.png" alt="${name}" loading="lazy"></a><figcaption>${caption}</figcaption></figure>`;
