/* Page snapshot: builds the stored snapshot of the page again, before the app's script runs (part of handover.ts). */
import { readHistoryState } from '../../lib/history-state.ts';
import { pageAddress, snapshotConditions } from '../snapshot/snapshot-conditions.ts';
import type { NodeSnapshot, PageSnapshot, RootSnapshot } from '../snapshot/snapshot-format.ts';
import { tabSnapshot } from '../snapshot/tab-snapshot.ts';
import { RETURNING_VISITOR_CLASS } from './first-visit.ts';
import { LINKED_POST_SELECTOR, PRERENDERED_ID } from './prerendered.ts';

/** Position of the reader in a list of posts; see `ScrollAnchor` in src/features/post-list. */
interface ScrollPosition {
  /** Address of the page, without its fragment. */
  readonly at: string;
  /** Key of a post, and its distance from the top of the window, px. */
  readonly key: string;
  readonly offset: number;
}

const HTML_NAMESPACE = 'http://www.w3.org/1999/xhtml';
const SVG_NAMESPACE = 'http://www.w3.org/2000/svg';

/**
 * Inserts the snapshot of the page before the app's mount point, at the scroll position of Back or a reload. Returns null
 * if there is no snapshot, or if it is not valid for this document. The service worker writes the snapshot into the page;
 * without a worker it is in this tab's storage.
 */
export function restoreSnapshot(app: HTMLElement): HTMLElement | null {
  try {
    const element = document.getElementById('snapshot');
    const json = element?.textContent ?? tabSnapshot.read() ?? 'null';
    element?.remove();
    const snapshot: PageSnapshot | null = JSON.parse(json);
    if (snapshot === null || snapshot.path !== pageAddress() || snapshot.conditions !== snapshotConditions()) return null;
    return insertSnapshot(app, snapshot, readScrollPosition());
  } catch {
    // The snapshot is damaged. The app shows the page without it.
    return null;
  }
}

/** Returns the scroll position of this history entry; it exists only after Back, Forward or a reload. */
function readScrollPosition(): ScrollPosition | null {
  const position = readHistoryState('changerPlace') as ScrollPosition | null;
  return position?.at === location.href.split('#', 1)[0] ? position : null;
}

function insertSnapshot(app: HTMLElement, snapshot: PageSnapshot, position: ScrollPosition | null): HTMLElement | null {
  const { layout, start, scrolled, theme, style, locale } = snapshot;
  const containsPosition = (root: RootSnapshot | null) =>
    position === null || JSON.stringify(root).includes(JSON.stringify(position.key));
  const view = containsPosition(start) ? start : scrolled;
  if (view === null || !containsPosition(view)) return null;
  const { documentElement } = document;
  documentElement.lang = locale;
  if (style !== null) documentElement.style.cssText = style;
  const host = document.createElement('div');
  host.id = PRERENDERED_ID;
  const pageHost = host.appendChild(document.createElement('div'));
  for (const element of [documentElement, host, pageHost]) if (theme !== null) element.setAttribute('theme', theme);
  buildRoot(host, layout);
  const pageRoot = buildRoot(pageHost, view);
  app.before(host);
  // The class hides a prerendered page; this one belongs to the reader.
  documentElement.classList.remove(RETURNING_VISITOR_CLASS);
  if (position === null) pageRoot.querySelector(LINKED_POST_SELECTOR)?.scrollIntoView();
  else {
    const post = pageRoot.querySelector(`[data-key="${CSS.escape(position.key)}"]`);
    history.scrollRestoration = 'manual';
    const distance = () => (post?.getBoundingClientRect().top ?? Number.NaN) - position.offset;
    window.scrollBy({ top: distance(), behavior: 'instant' });
    // The snapshot was taken further up, and has too few posts below.
    if (!(Math.abs(distance()) < 1)) {
      host.remove();
      return null;
    }
  }
  return host;
}

function buildRoot(host: HTMLElement, { styles, nodes }: RootSnapshot): ShadowRoot {
  const root = host.attachShadow({ mode: 'open' });
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(styles);
  root.adoptedStyleSheets = [sheet];
  root.append(...nodes.map((node) => buildNode(node, HTML_NAMESPACE)));
  return root;
}

function buildNode(node: NodeSnapshot, parentNamespace: string): Node {
  if (typeof node === 'string') return document.createTextNode(node);
  const [name, attributes, ...children] = node;
  const namespace = name === 'svg' ? SVG_NAMESPACE : parentNamespace;
  const element = document.createElementNS(namespace, name) as HTMLElement | SVGElement;
  for (const [attribute, value] of Object.entries(attributes)) {
    // The policy of the page forbids `style` attributes, but not the property.
    if (attribute === 'style') element.style.cssText = value;
    else element.setAttribute(attribute, value);
  }
  element.append(...children.map((child) => buildNode(child, namespace)));
  return element;
}
