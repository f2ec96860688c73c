import { type CSSProperties, useRef, useState } from 'react';
import type { Insets } from '../host/host.ts';
import { useMsg } from '../i18n/i18n.ts';
import { ReaderMenu } from './layout/ReaderMenu.tsx';
import { SideBar } from './layout/SideBar.tsx';
import { TabBar } from './layout/TabBar.tsx';
import { useServices } from './services.ts';
import { useReadable } from './use-readable.ts';

/** The navigation around the page, which stands in the slot. `path` is the address in the app, with its query. */
export function LayoutPage({ path = '/' }: { readonly path?: string }) {
  const { msg } = useMsg();
  const [menu, setMenu] = useState(false);
  const main = useRef<HTMLElement>(null);
  const viewport = useReadable(useServices().host.viewport);
  return (
    <div className="frame" style={insetStyle(viewport.safeArea, viewport.contentSafeArea)}>
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {msg('Skip to the content')}
      </button>
      <SideBar path={path} onReader={() => setMenu(true)} />
      <main ref={main} tabIndex={-1}>
        <slot />
      </main>
      <TabBar path={path} onReader={() => setMenu(true)} />
      {menu && <ReaderMenu onClose={() => setMenu(false)} />}
    </div>
  );
}

/** The container's insets as custom properties; none are written where nothing is covered, so that served HTML has no style attribute. */
function insetStyle(safe: Insets, content: Insets): CSSProperties | undefined {
  const top = safe.top + content.top;
  const bottom = safe.bottom + content.bottom;
  if (top === 0 && bottom === 0) return undefined;
  return { '--changer-safe-top': `${top}px`, '--changer-safe-bottom': `${bottom}px` } as CSSProperties;
}
