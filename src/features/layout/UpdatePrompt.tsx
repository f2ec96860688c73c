import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createSignal, type Signal } from '../../lib/signal.ts';
import { pageFocusSuccessor } from './focus-page.ts';
import style from './update-prompt.css';

const NEVER: Signal<boolean> = createSignal(false);

/**
 * Update prompt: offers a newer build when it is available. The reader loads it by a reload, now or later. Otherwise `children`
 * are rendered.
 */
export function UpdatePrompt({ children }: { readonly children: ReactNode }) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const element = useStylesheet(style);
  useAboveTabs(element);
  const isHere = useSignalValue(environment.updateAvailable ?? NEVER);
  const [refused, refuse] = useState(false);
  const isShown = isHere && !refused;
  return (
    <>
      <div ref={element} role="status">
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
              onClick={() => refuse(true)}
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
 * Positions fixed elements above the tab bar: with long names and large letters the bar has two rows, where frame.css assumes
 * one.
 */
export function useAboveTabs(inside: RefObject<Element | null>): void {
  useEffect(() => {
    const frame = inside.current?.closest<HTMLElement>('.frame');
    const bar = frame?.querySelector('.bottom');
    if (frame == null || bar == null) return;
    const observer = new ResizeObserver(([entry]) => {
      const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
      frame.style.setProperty('--tabs', `calc(${height}px - var(--safe-bottom))`);
    });
    observer.observe(bar);
    return () => observer.disconnect();
  }, [inside]);
}
