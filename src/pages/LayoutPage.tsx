import { useRef, useState } from 'react';
import { useMsg } from '../i18n/i18n.ts';
import type { Anchor } from '../ui/Sheet.tsx';
import { SideBar } from './layout/SideBar.tsx';
import { TabBar } from './layout/TabBar.tsx';
import { useLazy } from './use-lazy.ts';

const loadReaderMenu = () => import('./layout/ReaderMenu.tsx').then((part) => part.ReaderMenu);
const loadLater = () => import('./layout/Later.tsx').then((part) => part.Later);

/** The navigation around the page, which stands in the slot. `path` is the address in the app, with its query. */
export function LayoutPage({ path = '/' }: { readonly path?: string }) {
  const { msg } = useMsg();
  const [menu, setMenu] = useState<{ readonly anchor?: Anchor } | null>(null);
  const ReaderMenu = useLazy(loadReaderMenu, menu !== null);
  const Later = useLazy(loadLater, false);
  const main = useRef<HTMLElement>(null);
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {msg('Skip to the content')}
      </button>
      <SideBar path={path} onReader={(anchor) => setMenu({ anchor })} />
      <main ref={main} tabIndex={-1}>
        <slot />
      </main>
      <TabBar path={path} onReader={() => setMenu({})} />
      {menu !== null && ReaderMenu !== null && <ReaderMenu {...menu} path={path} onClose={() => setMenu(null)} />}
      {Later !== null && <Later path={path} />}
    </div>
  );
}
