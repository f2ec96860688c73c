import { type ReactNode, useState } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { createCell, type Readable } from '../../readable.ts';
import { Icon } from '../../ui/Icon.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { useStyle } from '../use-style.ts';
import { leavesFocusToPage } from './leaves-focus.ts';
import style from './new-version.css';
import { useAboveTabs } from './use-above-tabs.ts';

const NEVER: Readable<boolean> = createCell(false);

/** Offers a newer build once it is here; the reader takes it by a reload, now or whenever that comes. Else `children` stand. */
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
