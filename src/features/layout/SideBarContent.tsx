import type { Anchor } from '../../components/Sheet.tsx';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { ConnectionLine } from '../sync-status/ConnectionLine.tsx';
import { LineupNav } from './LineupNav.tsx';
import { isOperatorPage, navItemOf } from './nav-items.ts';
import { UserButton } from './UserButton.tsx';

const loadDialShortcuts = () => import('./DialShortcuts.tsx').then((module) => module.DialShortcuts);

/**
 * Sidebar content below the navigation: the line-up and the user button. The dial shows the line-up itself, so there
 * the sidebar shows the keys of the dial instead. The operators' page has an address of the dial, but neither a line-up
 * nor keys, so there the sidebar shows the line-up.
 */
export function SideBarContent({ path, onReader }: { readonly path: string; readonly onReader: (anchor: Anchor) => void }) {
  const isDial = navItemOf(path) === 'dial' && !isOperatorPage(path);
  const DialShortcuts = useLazyComponent(loadDialShortcuts, isDial);
  return (
    <>
      {!isDial ? <LineupNav path={path} /> : DialShortcuts !== null && <DialShortcuts />}
      <div className="side-foot">
        <ConnectionLine />
        <UserButton onReader={onReader} />
      </div>
    </>
  );
}
