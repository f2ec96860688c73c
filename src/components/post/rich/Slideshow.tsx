import { type ReactNode, useRef, useState } from 'react';
import type { Media } from '../../../../contract/post.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { AnyIcon } from '../../icons/AnyIcon.tsx';

interface SlideshowProps {
  readonly items: readonly Media[];
  renderSlide(media: readonly Media[]): ReactNode;
}

/** Slideshow: files next to each other in a strip that scrolls by touch, arrow keys or buttons. */
export function Slideshow({ items, renderSlide: show }: SlideshowProps) {
  const m = useMsg();
  const strip = useRef<HTMLUListElement>(null);
  const [at, setAt] = useState(0);
  // In right-to-left languages `scrollLeft` is negative; its absolute value is the distance.
  const note = () => {
    const { scrollLeft = 0, clientWidth = 1 } = strip.current ?? {};
    setAt(Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth)));
  };
  const go = (to: number) => strip.current?.children[to]?.scrollIntoView({ block: 'nearest', inline: 'start' });
  const where = m.msg(str`${m.number(at + 1)} of ${m.number(items.length)}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for what is filled in
    <div className="slideshow" role="group" aria-label={m.msg('Slideshow')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <ul ref={strip} onScroll={note} tabIndex={0} aria-label={m.msg('Slides')}>
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: slides never change places
          <li key={index}>{show([item])}</li>
        ))}
      </ul>
      <div className="slideshow-bar">
        <button
          type="button"
          className="icon-button"
          disabled={at === 0}
          aria-label={m.msg('Previous picture')}
          onClick={() => go(at - 1)}
        >
          <AnyIcon name="previous" small />
        </button>
        <span aria-live="polite">{where}</span>
        <button
          type="button"
          className="icon-button"
          disabled={at === items.length - 1}
          aria-label={m.msg('Next picture')}
          onClick={() => go(at + 1)}
        >
          <AnyIcon name="next" small />
        </button>
      </div>
    </div>
  );
}
