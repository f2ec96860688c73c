import { useEffect, useRef, useState } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { createSignal } from '../../lib/signal.ts';
import { SideBar } from './SideBar.tsx';
import { TabBar } from './TabBar.tsx';
import { useMiniPlayer } from './use-mini-player.ts';

const loadUserMenu = () => import('./UserMenu.tsx').then((part) => part.UserMenu);
const loadShortcuts = () => import('./ShortcutsSheet.tsx');
const loadShortcutsSheet = () => loadShortcuts().then((part) => part.ShortcutsSheet);
const loadDeferredNotices = () => import('./DeferredNotices.tsx').then((part) => part.DeferredNotices);

const loadMiniPlayer = () => import('./MiniPlayer.tsx').then((part) => part.MiniPlayer);
const NO_AUDIO = createSignal(null);

/** Layout page: the navigation around the page, which is in the slot. `path` is the address in the app, with its query. */
export function LayoutPage({ path = '/' }: { readonly path?: string }) {
  const { msg } = useMsg();
  const [menu, setMenu] = useState<{ readonly anchor?: Anchor } | null>(null);
  const ReaderMenu = useLazyComponent(loadUserMenu, menu !== null);
  const [keys, setKeys] = useState(false);
  const KeysSheet = useLazyComponent(loadShortcutsSheet, keys);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // The second character is the question mark of Arabic keyboards. The event path is available only while the event is
      // being handled.
      if (event.key !== '?' && event.key !== '؟') return;
      const nodes = event.composedPath();
      loadShortcuts()
        .then((part) => part.asksForShortcuts(event, nodes, path) && setKeys(true))
        .catch(() => {});
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [path]);
  const cell = useServices().environment.backgroundSound ?? NO_AUDIO;
  const sound = useSignalValue(cell);
  // Playback ends when the frame unmounts: another reader, or no reader, is signed in then.
  useEffect(() => () => cell.set(null), [cell]);
  const MiniPlayer = useMiniPlayer(cell, loadMiniPlayer);
  const Later = useLazyComponent(loadDeferredNotices, false);
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
      {sound !== null && MiniPlayer !== null && <MiniPlayer {...{ sound, signal: cell }} />}
      {Later !== null && <Later path={path} />}
    </div>
  );
}
