import type { Anchor } from '../../components/Sheet.tsx';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { ConnectionLine } from '../sync-status/ConnectionLine.tsx';
import { LineupLinks } from './LineupNav.tsx';
import { isOperating, placeOf } from './nav-items.ts';
import { ReaderButton } from './UserButton.tsx';

const loadRemoteKeys = () => import('./DialShortcuts.tsx').then((part) => part.RemoteKeys);

/**
 * Sidebar content below the navigation: the line-up, or on the dial, which shows the line-up itself, the dial's keys; then the
 * user button. The operators' page is inside the dial, but has no line-up and no keys, so there the sidebar shows the line-up.
 */
export function Desk({ path, onReader }: { readonly path: string; readonly onReader: (anchor: Anchor) => void }) {
  const isRemote = placeOf(path) === 'dial' && !isOperating(path);
  const RemoteKeys = useLazy(loadRemoteKeys, isRemote);
  return (
    <>
      {!isRemote ? <LineupLinks path={path} /> : RemoteKeys !== null && <RemoteKeys />}
      <div className="side-foot">
        <ConnectionLine />
        <ReaderButton onReader={onReader} />
      </div>
    </>
  );
}
