import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { pageFocusSuccessor } from './focus-page.ts';
import styles from './update-prompt.css';

const ALWAYS_FALSE: Signal<boolean> = createSignal(false);

/**
 * Update prompt: offers to reload the page when a newer build is available. Renders `children` if there is none, or
 * after the reader dismissed the prompt.
 */
export function UpdatePrompt({ children }: { readonly children: ReactNode }) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const styleRef = useStylesheet(styles);
  useAboveTabs(styleRef);
  const isAvailable = useSignalValue(environment.updateAvailable ?? ALWAYS_FALSE);
  const [isDismissed, setDismissed] = useState(false);
  const isShown = isAvailable && !isDismissed;
  return (
    <>
      <div ref={styleRef} role="status">
        {isShown && (
          <p className="offer">
            <span className="spring">{msg('There is a new version')}</span>
            <button type="button" onClick={() => location.reload()}>
              {msg('Reload')}
            </button>
            <button
              ref={pageFocusSuccessor}
              type="button"
              className="icon-button"
              aria-label={msg('Not now')}
              onClick={() => setDismissed(true)}
            >
              <Icon name="close" />
            </button>
          </p>
        )}
      </div>
      {!isShown && children}
    </>
  );
}

/**
 * Positions fixed elements above the tab bar: with long labels and large text the bar has two rows, but frame.css
 * assumes one. `elementRef` is any element of the layout.
 */
export function useAboveTabs(elementRef: RefObject<Element | null>): void {
  useEffect(() => {
    const frame = elementRef.current?.closest<HTMLElement>('.frame');
    const bar = frame?.querySelector('.bottom');
    if (frame == null || bar == null) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      const { paddingBlockEnd, scrollMarginBlockEnd } = getComputedStyle(bar);
      const tabsHeight = height - Number.parseFloat(paddingBlockEnd);
      // All elements inherit the property: a change of it recalculates the styles of all posts.
      if (Math.abs(tabsHeight - Number.parseFloat(scrollMarginBlockEnd)) > 0.5)
        frame.style.setProperty('--tabs', `calc(${height}px - var(--safe-bottom))`);
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, [elementRef]);
}
