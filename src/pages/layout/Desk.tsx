import type { Anchor } from '../../ui/Sheet.tsx';
import { useLazy } from '../use-lazy.ts';
import { ConnectionLine } from './ConnectionLine.tsx';
import { LineupLinks } from './LineupLinks.tsx';
import { isOperating, placeOf } from './places.ts';
import { ReaderButton } from './ReaderButton.tsx';

const loadRemoteKeys = () => import('./RemoteKeys.tsx').then((part) => part.RemoteKeys);

/**
 * What the sidebar has below its navigation: the line-up, or on the dial, which shows that itself, its keys; then the reader. The
 * operators' page inside the dial has no line-up and no keys.
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
