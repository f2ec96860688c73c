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

const loadUserMenu = () => import('./UserMenu.tsx').then((module) => module.UserMenu);
const loadShortcuts = () => import('./ShortcutsSheet.tsx');
const loadShortcutsSheet = () => loadShortcuts().then((module) => module.ShortcutsSheet);
const loadDeferredNotices = () => import('./DeferredNotices.tsx').then((module) => module.DeferredNotices);

const loadMiniPlayer = () => import('./MiniPlayer.tsx').then((module) => module.MiniPlayer);
const NO_AUDIO = createSignal(null);

/**
 * Layout page: the navigation around the page, which is in the slot. `path` is the page's path in the app, with its
 * query.
 */
export function LayoutPage({ path = '/' }: { readonly path?: string }) {
  const { msg } = useMsg();
  const [openMenu, setOpenMenu] = useState<{ readonly anchor?: Anchor } | null>(null);
  const UserMenu = useLazyComponent(loadUserMenu, openMenu !== null);
  const [areShortcutsOpen, setShortcutsOpen] = useState(false);
  const ShortcutsSheet = useLazyComponent(loadShortcutsSheet, areShortcutsOpen);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // The second character is the question mark of Arabic keyboards.
      if (event.key !== '?' && event.key !== '؟') return;
      // The event path is available only while the event is handled, and not when the chunk is loaded.
      const nodes = event.composedPath();
      loadShortcuts()
        .then((module) => module.isShortcutsRequest(event, nodes, path) && setShortcutsOpen(true))
        .catch(() => {});
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [path]);
  const soundSignal = useServices().environment.backgroundSound ?? NO_AUDIO;
  const sound = useSignalValue(soundSignal);
  // Playback ends when the layout unmounts, because another reader, or no reader, is signed in then.
  useEffect(() => () => soundSignal.set(null), [soundSignal]);
  const MiniPlayer = useMiniPlayer(soundSignal, loadMiniPlayer);
  const DeferredNotices = useLazyComponent(loadDeferredNotices, false);
  const main = useRef<HTMLElement>(null);
  return (
    <div className="frame">
      <button type="button" className="skip" onClick={() => main.current?.focus()}>
        {msg('Skip to the content')}
      </button>
      <SideBar path={path} onReader={(anchor) => setOpenMenu({ anchor })} />
      <main ref={main} tabIndex={-1}>
        <slot />
      </main>
      <TabBar path={path} onReader={() => setOpenMenu({})} />
      {openMenu !== null && UserMenu !== null && <UserMenu {...openMenu} path={path} onClose={() => setOpenMenu(null)} />}
      {areShortcutsOpen && ShortcutsSheet !== null && <ShortcutsSheet path={path} onClose={() => setShortcutsOpen(false)} />}
      {sound !== null && MiniPlayer !== null && <MiniPlayer {...{ sound, signal: soundSignal }} />}
      {DeferredNotices !== null && <DeferredNotices path={path} />}
    </div>
  );
}
