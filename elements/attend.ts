import { served } from './drawn.ts';
import { type Fallback, keepFallback } from './fallback.ts';
import { openedBy } from './opened.ts';

/** Far enough for the content to be there when the reader is. */
const NEAR = '600px';

/** What is seen to of a tag, until it is gone. */
interface Attendance {
  readonly fallback: Fallback | null;
  end(): void;
}

const approaches = new WeakMap<HTMLElement, IntersectionObserver>();
const attended = new WeakMap<HTMLElement, Attendance>();

/**
 * Sees to a tag on a foreign page: its children stand in until its content is there, and the page hears what happens in it. A
 * root that was served with content needs no other until that is taken out.
 */
export function attend(tag: HTMLElement, slotted: boolean): void {
  const root = tag.shadowRoot;
  if (root === null || served(root).length > 0 || isOurs(tag)) return;
  const held = attended.get(tag);
  if (held === undefined) attended.set(tag, begin(tag, root, slotted));
  else held.fallback?.place();
}

/** With `loading="lazy"` a tag waits until it is near the view. */
export function waits(tag: HTMLElement, mount: () => void): boolean {
  if (tag.getAttribute('loading') !== 'lazy' || isOurs(tag)) return false;
  approaches.get(tag)?.disconnect();
  const approach = new IntersectionObserver(
    (entries, observer) => {
      if (!tag.isConnected || !entries.some((entry) => entry.isIntersecting)) return;
      observer.disconnect();
      mount();
    },
    { rootMargin: NEAR },
  );
  approaches.set(tag, approach);
  approach.observe(tag);
  return true;
}

export const renew = (tag: HTMLElement): void => attended.get(tag)?.fallback?.renew();

export function leave(tag: HTMLElement): void {
  approaches.get(tag)?.disconnect();
  attended.get(tag)?.end();
  attended.delete(tag);
}

/** The app hands its tags services. */
const isOurs = (tag: HTMLElement): boolean => Reflect.get(tag, 'services') !== undefined;

function begin(tag: HTMLElement, root: ShadowRoot, slotted: boolean): Attendance {
  const tell = (type: string, detail: object, cancelable = false): boolean =>
    tag.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable }));
  const open = (event: Event): void => {
    const opened = openedBy(event);
    if (opened !== null && !tell('changer-post-opened', opened, true)) event.preventDefault();
  };
  root.addEventListener('click', open);
  root.addEventListener('auxclick', open);
  const fallback = slotted ? null : keepFallback(root, (count) => tell('changer-loaded', { count }));
  return {
    fallback,
    end() {
      root.removeEventListener('click', open);
      root.removeEventListener('auxclick', open);
      fallback?.end();
    },
  };
}
