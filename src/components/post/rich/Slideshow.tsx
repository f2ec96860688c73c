import { type ReactNode, useRef, useState } from 'react';
import type { Media } from '../../../../contract/post.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { AnyIcon } from '../../icons/AnyIcon.tsx';

interface SlideshowProps {
  readonly items: readonly Media[];
  renderSlide(media: readonly Media[]): ReactNode;
}

/** Slideshow: files next to each other in a strip that scrolls by touch, arrow keys or buttons. */
export function Slideshow({ items, renderSlide }: SlideshowProps) {
  const messages = useMsg();
  const strip = useRef<HTMLUListElement>(null);
  const [index, setIndex] = useState(0);
  // In right-to-left languages `scrollLeft` is negative; its absolute value is the distance.
  const updateIndex = () => {
    const { scrollLeft = 0, clientWidth = 1 } = strip.current ?? {};
    setIndex(Math.round(Math.abs(scrollLeft) / Math.max(1, clientWidth)));
  };
  const go = (targetIndex: number) => strip.current?.children[targetIndex]?.scrollIntoView({ block: 'nearest', inline: 'start' });
  const positionText = messages.msg(str`${messages.number(index + 1)} of ${messages.number(items.length)}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields
    <div className="slideshow" role="group" aria-label={messages.msg('Slideshow')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard */}
      <ul ref={strip} onScroll={updateIndex} tabIndex={0} aria-label={messages.msg('Slides')}>
        {items.map((item, slideIndex) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: slides have a fixed order
          <li key={slideIndex}>{renderSlide([item])}</li>
        ))}
      </ul>
      <div className="slideshow-bar">
        <button
          type="button"
          className="icon-button"
          disabled={index === 0}
          aria-label={messages.msg('Previous picture')}
          onClick={() => go(index - 1)}
        >
          <AnyIcon name="previous" small />
        </button>
        <span aria-live="polite">{positionText}</span>
        <button
          type="button"
          className="icon-button"
          disabled={index === items.length - 1}
          aria-label={messages.msg('Next picture')}
          onClick={() => go(index + 1)}
        >
          <AnyIcon name="next" small />
        </button>
      </div>
    </div>
  );
}
