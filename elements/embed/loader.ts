/*
 * Loader of embedded tags: the first script that a page with one of our tags runs. The build makes it the tag's script.
 * It requests the server-rendered HTML of the tags in the document, which it shows until the code is ready, and it
 * loads the code. It does not define the tag, and it stores nothing.
 */
import { isPrerendered } from '../../contract/prerender.ts';
import { selectForPrerender, showPrerender, tagsWithoutRoot, warmUpWhileLoading } from './fetch-prerendered.ts';

/** Build constants: the tag, its code, and the chunks that posts need if they contain more than text and pictures. */
declare const __TAG__: string;
declare const __REQUIRED_CHUNKS__: readonly string[];
declare const __COMMON_CHUNKS__: readonly string[];

/**
 * Reserves space until the tag's own style sheets are loaded; see src/components/styles/embedded.css, and post.css for
 * a post.
 */
const reservedSpaceSheet = new CSSStyleSheet();
const minBlockSize = __TAG__ === 'changer-post' ? '0px' : '100vh';
reservedSpaceSheet.replaceSync(`:host,slot{display:block}slot{min-block-size:var(--changer-reserve,${minBlockSize})}`);

const tags = tagsWithoutRoot(__TAG__);
for (const tag of tags) reserveSpace(tag);
const [first, ...others] = selectForPrerender(tags);
if (first !== undefined) showPrerender(first);
// The prerendered HTML of the first tag is requested a moment before everything else, so that it does not share the
// bandwidth.
setTimeout(() => {
  warmUpWhileLoading();
  // Another script may have defined the tag in the meantime.
  for (const tag of others) if (tag.shadowRoot?.adoptedStyleSheets[0] === reservedSpaceSheet) showPrerender(tag);
  for (const path of isPrerendered(__TAG__) ? [...__REQUIRED_CHUNKS__, ...__COMMON_CHUNKS__] : __REQUIRED_CHUNKS__)
    void import(new URL(path, import.meta.url).href).catch(releaseSpace);
});

/**
 * Reserves the tag's space from now on, so that content that arrives later does not shift the page. Its children are
 * visible.
 */
function reserveSpace(tag: HTMLElement): void {
  const root = tag.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = [reservedSpaceSheet];
  const children = document.createElement('slot');
  // As in fallback-content.ts: the tag, with its style sheets, may arrive before its prerendered HTML.
  children.className = 'fallback shown loading';
  root.append(children);
}

/**
 * If the code fails to load, the tags' children remain as the only content, as on a page where the tags are unknown.
 */
const releaseSpace = (): void => reservedSpaceSheet.replaceSync('');
