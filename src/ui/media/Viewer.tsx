import { type PointerEvent, useEffect, useRef, useState } from 'react';
import type { Media } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../AnyIcon.tsx';

interface ViewerProps {
  /** What can be shown, in the post's order, and what of it comes first. */
  readonly items: readonly Media[];
  readonly first: Media;
  readonly caption: string;
  readonly base: string;
  onClose(): void;
  /** Called when it is open; what it gives is called when it goes. */
  onShown(): () => void;
}

/** Not on the link before it, where Enter would lead out of the page. */
const focusClose = (dialog: HTMLDialogElement | null): void => dialog?.querySelector('button')?.focus();

/** A finger's way that counts as a swipe. */
const SWIPE = 48;

/** Shows a post's pictures and videos one at a time over everything else; the browser's dialog holds focus and Escape. */
export function Viewer({ items, first, caption, base, onClose, onShown }: ViewerProps) {
  const m = useMsg();
  const [at, setAt] = useState(Math.max(0, items.indexOf(first)));
  const dialog = useRef<HTMLDialogElement>(null);
  const from = useRef<{ x: number; y: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    dialog.current?.showModal();
    focusClose(dialog.current);
    const before = document.documentElement.style.overflow;
    document.documentElement.style.overflow = 'hidden';
    const hide = onShown();
    return () => {
      document.documentElement.style.overflow = before;
      hide();
    };
  }, []);
  // A step button that had the focus goes at either end, and with it would go the arrow keys.
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each step
  useEffect(() => {
    if (dialog.current?.matches(':focus-within') === false) focusClose(dialog.current);
  }, [at]);
  const item = items[at];
  const go = (step: number) => setAt((now) => Math.min(items.length - 1, Math.max(0, now + step)));
  const forward = m.dir === 'rtl' ? -1 : 1;
  const drop = (event: PointerEvent) => {
    const start = from.current;
    from.current = null;
    if (start === null) return;
    const x = event.clientX - start.x;
    const y = event.clientY - start.y;
    if (Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) go(x < 0 ? forward : -forward);
    else if (y > SWIPE * 2) onClose();
    else if (Math.hypot(x, y) < 8 && !(event.target instanceof HTMLMediaElement)) onClose();
  };
  return (
    <dialog
      ref={dialog}
      className="viewer"
      aria-label={m.msg('Pictures of this post')}
      onClose={onClose}
      onKeyDown={(event) => {
        if (event.key === 'ArrowRight') go(forward);
        if (event.key === 'ArrowLeft') go(-forward);
      }}
    >
      <div
        className="viewer-stage"
        onPointerDown={({ clientX: x, clientY: y }) => {
          from.current = { x, y };
        }}
        onPointerUp={drop}
      >
        {item !== undefined && <Large key={at} item={item} base={base} />}
      </div>
      <div className="viewer-bar">
        <span aria-live="polite">{items.length > 1 && m.msg(str`${m.number(at + 1)} of ${m.number(items.length)}`)}</span>
        <span className="spring" />
        {item?.src !== undefined && (
          <a className="icon-button" href={base + item.src} target="_blank" rel="noopener" aria-label={m.msg('Open the file')}>
            <AnyIcon name="out" />
          </a>
        )}
        <button type="button" className="icon-button" aria-label={m.msg('Close')} onClick={onClose}>
          <AnyIcon name="close" />
        </button>
      </div>
      {at > 0 && <Step name={m.msg('Previous picture')} icon="previous" onStep={() => go(-1)} />}
      {at < items.length - 1 && <Step name={m.msg('Next picture')} icon="next" onStep={() => go(1)} />}
      {caption !== '' && (
        <p className="viewer-caption" dir="auto">
          <span>{caption.slice(0, 280)}</span>
        </p>
      )}
    </dialog>
  );
}

function Step({ name, icon, onStep }: { readonly name: string; readonly icon: 'previous' | 'next'; onStep(): void }) {
  return (
    <button type="button" className={`icon-button viewer-${icon}`} aria-label={name} onClick={onStep}>
      <AnyIcon name={icon} />
    </button>
  );
}

function Large({ item, base }: { readonly item: Media; readonly base: string }) {
  const { msg } = useMsg();
  const src = base + (item.src ?? '');
  if (item.type !== 'video' && item.type !== 'animation') {
    return <img src={src} width={item.width} height={item.height} alt={msg('Photo')} draggable={false} />;
  }
  return (
    <video
      src={src}
      controls
      playsInline
      autoPlay
      aria-label={msg('Video')}
      loop={item.type === 'animation'}
      muted={item.type === 'animation'}
    />
  );
}
