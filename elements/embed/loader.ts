/*
 * What a page with one of our tags runs first; the build makes it the tag's script. It asks for what the server draws of the
 * tags that stand in the document, which it shows until the code takes over, and for the code. It defines no tag, and keeps
 * nothing.
 */
import { isDrawn } from '../../contract/drawn.ts';
import { readyToShow, show, toShow, unfilled } from './fetch-prerendered.ts';

/** Put in place by the build: the tag, its code, and what of it posts need that hold more than words and pictures. */
declare const __TAG__: string;
declare const __CODE__: readonly string[];
declare const __PARTS__: readonly string[];

/** Until the tag's own style sheets come; see src/components/styles/embedded.css, and post.css for a post. */
const room = new CSSStyleSheet();
const least = __TAG__ === 'changer-post' ? '0px' : '100vh';
room.replaceSync(`:host,slot{display:block}slot{min-block-size:var(--changer-reserve,${least})}`);

const tags = unfilled(__TAG__);
for (const tag of tags) reserve(tag);
const [first, ...others] = toShow(tags);
if (first !== undefined) show(first);
// What is drawn of the first is asked for a moment before all else, and so does not have to share the line.
setTimeout(() => {
  readyToShow();
  // Another script may have defined the tag meanwhile.
  for (const tag of others) if (tag.shadowRoot?.adoptedStyleSheets[0] === room) show(tag);
  for (const path of isDrawn(__TAG__) ? [...__CODE__, ...__PARTS__] : __CODE__)
    void import(new URL(path, import.meta.url).href).catch(giveBack);
});

/** Takes the tag's room from now on, so that it pushes nothing down later; its children show. */
function reserve(tag: HTMLElement): void {
  const root = tag.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [room];
  const children = document.createElement('slot');
  // As in fallback-content.ts: the tag may come before what is drawn of it, and its style sheets with it.
  children.className = 'fallback shown coming';
  root.append(children);
}

/** Where the code does not come the tags' children stand alone, as on a page that knows no tags. */
const giveBack = (): void => room.replaceSync('');
