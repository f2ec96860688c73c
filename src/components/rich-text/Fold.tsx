import type { ReactNode } from 'react';
import { useMsg } from '../../i18n/i18n.ts';

/**
 * Fold: the complete version of a truncated text, which opens without a script. The style sheet hides the element before
 * it while it is open (src/components/styles/embedded.css). Only server-rendered tags contain it.
 */
export function Fold({ children }: { readonly children: ReactNode }) {
  const { msg } = useMsg();
  return (
    <details className="fold">
      <summary className="link more" part="more">
        <span>{msg('Show more')}</span>
        <span>{msg('Show less')}</span>
      </summary>
      {children}
    </details>
  );
}
