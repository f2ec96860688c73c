import { useEffect, useRef, useState } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createCell } from '../../lib/signal.ts';
import { SideBar } from './SideBar.tsx';
import { TabBar } from './TabBar.tsx';
import { useMiniPlayer } from './use-mini-player.ts';

const loadReaderMenu = () => import('./UserMenu.tsx').then((part) => part.ReaderMenu);
const loadKeys = () => import('./ShortcutsSheet.tsx');
const loadKeysSheet = () => loadKeys().then((part) => part.KeysSheet);
const loadLater = () => import('./DeferredNotices.tsx').then((part) => part.Later);

const loadMiniPlayer = () => import('./MiniPlayer.tsx').then((part) => part.MiniPlayer);
const SILENT = createCell(null);

/** Layout page: the navigation around the page, which is in the slot. `path` is the address in the app, with its query. */
export function LayoutPage({ path = '/' }: { readonly path?: string }) {
  const { msg } = useMsg();
  const [menu, setMenu] = useState<{ readonly anchor?: Anchor } | null>(null);
  const ReaderMenu = useLazy(loadReaderMenu, menu !== null);
  const [keys, setKeys] = useState(false);
  const KeysSheet = useLazy(loadKeysSheet, keys);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // The second character is the question mark of Arabic keyboards. The event path is available only while the event is
      // being handled.
      if (event.key !== '?' && event.key !== '؟') return;
      const nodes = event.composedPath();
      loadKeys()
        .then((part) => part.asksForKeys(event, nodes, path) && setKeys(true))
        .catch(() => {});
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [path]);
  const cell = useServices().site.sound ?? SILENT;
  const sound = useReadable(cell);
  // Playback ends when the frame unmounts: another reader, or no reader, is signed in then.
  useEffect(() => () => cell.set(null), [cell]);
  const MiniPlayer = useMiniPlayer(cell, loadMiniPlayer);
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
      {keys && KeysSheet !== null && <KeysSheet path={path} onClose={() => setKeys(false)} />}
      {sound !== null && MiniPlayer !== null && <MiniPlayer {...{ sound, cell }} />}
      {Later !== null && <Later path={path} />}
    </div>
  );
}
