import { type ReactNode, type RefObject, useEffect, useState } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useStyle } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createCell, type Readable } from '../../lib/signal.ts';
import { leavesFocusToPage } from './focus-page.ts';
import style from './update-prompt.css';

const NEVER: Readable<boolean> = createCell(false);

/**
 * Update prompt: offers a newer build when it is available. The reader loads it by a reload, now or later. Otherwise `children`
 * are rendered.
 */
export function NewVersion({ children }: { readonly children: ReactNode }) {
  const { msg } = useMsg();
  const { site } = useServices();
  const element = useStyle(style);
  useAboveTabs(element);
  const isHere = useReadable(site.newer ?? NEVER);
  const [refused, refuse] = useState(false);
  const told = isHere && !refused;
  return (
    <>
      <div ref={element} role="status">
        {told && (
          <p className="offer">
            <span className="spring">{msg('There is a new version')}</span>
            <button type="button" onClick={() => location.reload()}>
              {msg('Reload')}
            </button>
            <button
              ref={leavesFocusToPage}
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
      {!told && children}
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
