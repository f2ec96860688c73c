import type { ReactNode } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { OperatorLink } from '../operator/OperatorLink.tsx';

/** Dial header: the title of the page and its actions. */
export function DialHeader({ children }: { readonly children?: ReactNode }) {
  const { msg } = useMsg();
  return (
    <header className="top">
      <div className="bar">
        <h1>{msg('Dial')}</h1>
        {children}
        <OperatorLink />
      </div>
    </header>
  );
}
