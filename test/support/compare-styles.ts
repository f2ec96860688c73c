// Compares the reduced style sheets of server-rendered shadow roots with the complete ones.

import { BROWSER_TARGETS } from '../../build/app-bundle.mjs';
import { readStyles } from '../../build/css-text.mjs';
import type { Page } from './browser.ts';

/** Runs in the page. It is a string, because a compiled function would call helpers of its compiler. */
const COMPARE_STYLES = `async (selectors, sheets) => {
  const hosts = selectors.map((selector) => document.querySelector(selector));
  const kindOf = (element) =>
    [element, element.parentElement].map((each) => each?.cloneNode().outerHTML.replace(/(id|href|src|srcset|data-\\w+|title|alt)="[^"]*"/g, '')) +
    [':first-child', ':last-child', ':first-of-type'].map((selector) => element.matches(selector));
  const elements = hosts.concat(...hosts.map(({ shadowRoot }) => [
    ...new Map([...shadowRoot.querySelectorAll(':not(style, rect)')].map((element) => [kindOf(element), element])).values(),
  ]));
  const readStyle = (element, pseudo) => {
    const style = getComputedStyle(element, pseudo);
    if (pseudo !== undefined && style.content === 'none') return '';
    // The used value of an automatic margin is sometimes 0 in Chromium.
    const valueOf = (name) =>
      name.startsWith('margin') && pseudo === undefined ? element.computedStyleMap().get(name) : style.getPropertyValue(name);
    return [...style].filter((name) => !name.startsWith('--')).map((name) => name + ':' + valueOf(name)).join(';');
  };
  const read = async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const animation of hosts.flatMap(({ shadowRoot }) => shadowRoot.getAnimations())) {
      animation.pause();
      animation.currentTime = 0;
    }
    return elements.flatMap((element) => [undefined, '::before', '::after'].map((pseudo) => readStyle(element, pseudo)));
  };
  const before = await read();
  hosts.forEach(({ shadowRoot }, index) => {
    for (const style of shadowRoot.querySelectorAll('style')) style.disabled = true;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(sheets[index]);
    shadowRoot.adoptedStyleSheets = [sheet];
  });
  return (await read()).flatMap((text, index) => {
    const [expected, actual] = [text, before[index]].map((list) => new Set(list.split(';')));
    const changed = [...[...expected].filter((each) => !actual.has(each)), 'not', ...[...actual].filter((each) => !expected.has(each))];
    return text === before[index] ? [] : [elements[Math.floor(index / 3)].outerHTML.slice(0, 80) + ' ' + changed.join(' ')];
  });
}`;

/**
 * Reads the computed styles of one element of each kind in the shadow roots of these hosts, with its pseudo-elements, and
 * then those with the complete style sheets of each root in place of its own. Returns the differences.
 */
export async function compareStyles(
  page: Page,
  hosts: readonly string[],
  sheetPaths: readonly (readonly string[])[],
): Promise<unknown> {
  const sheets = await Promise.all(
    sheetPaths.map(async (paths) =>
      (await Promise.all(paths.map((path) => readStyles(path, BROWSER_TARGETS)))).map(({ text }) => text).join('\n'),
    ),
  );
  return page.evaluate(`(${COMPARE_STYLES})(${JSON.stringify(hosts)}, ${JSON.stringify(sheets)})`);
}
