import type { Anchor } from '../../components/Sheet.tsx';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { ConnectionLine } from '../sync-status/ConnectionLine.tsx';
import { LineupNav } from './LineupNav.tsx';
import { isOperatorPage, navItemOf } from './nav-items.ts';
import { UserButton } from './UserButton.tsx';

const loadDialShortcuts = () => import('./DialShortcuts.tsx').then((part) => part.DialShortcuts);

/**
 * Sidebar content below the navigation: the line-up, or on the dial, which shows the line-up itself, the dial's keys; then the
 * user button. The operators' page is inside the dial, but has no line-up and no keys, so there the sidebar shows the line-up.
 */
export function SideBarContent({ path, onReader }: { readonly path: string; readonly onReader: (anchor: Anchor) => void }) {
  const isRemote = navItemOf(path) === 'dial' && !isOperatorPage(path);
  const RemoteKeys = useLazyComponent(loadDialShortcuts, isRemote);
  return (
    <>
      {!isRemote ? <LineupNav path={path} /> : RemoteKeys !== null && <RemoteKeys />}
      <div className="side-foot">
        <ConnectionLine />
        <UserButton onReader={onReader} />
      </div>
    </>
  );
}
