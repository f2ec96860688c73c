/* Serialization of a shadow root to a snapshot. */
import type { NodeSnapshot } from './snapshot-format.ts';

/** Elements that a snapshot omits: overlays, and elements that could run code or load documents. */
const OMITTED_SELECTOR = 'script, style, template, iframe, object, embed, link, meta, base, dialog, [popover], .toast';
/** Sources of media, which a snapshot must not start to load. */
const MEDIA_SELECTOR = 'video, audio, source, track';

/** Returns the content of a root, with the posts for which `isIncluded` is true. */
export const serializeRoot = (root: ShadowRoot, isIncluded: (article: Element) => boolean): NodeSnapshot[] =>
  [...root.childNodes].flatMap((node) => serializeNode(node, isIncluded));

function serializeNode(node: Node, isIncluded: (article: Element) => boolean): NodeSnapshot[] {
  if (node instanceof Text) return [node.data];
  if (!(node instanceof Element) || node.matches(OMITTED_SELECTOR)) return [];
  const isOmittedPost = node.matches('article') && !isIncluded(node);
  // The block of a group of posts without any of its posts is a placeholder with the height of the group.
  if (isOmittedPost || (node.matches('.leaf') && ![...node.children].some(isIncluded))) return [];
  const children = [...node.childNodes].flatMap((child) => serializeNode(child, isIncluded));
  return [[node.localName, serializeAttributes(node), ...children]];
}

function serializeAttributes(element: Element): Record<string, string> {
  const isMedia = element.matches(MEDIA_SELECTOR);
  // A picture that is stored on the device has a URL of this document.
  const isLocal = element.getAttribute('src')?.startsWith('blob:');
  const isKept = ({ name }: Attr): boolean => {
    if (name === 'src' || name === 'srcset') return !isMedia && !isLocal;
    return !name.startsWith('on') && name !== 'autoplay' && name !== 'autofocus';
  };
  return Object.fromEntries([...element.attributes].filter(isKept).map(({ name, value }) => [name, value]));
}
