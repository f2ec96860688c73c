import type { Anchor } from '../../ui/Sheet.tsx';
import { ConnectionLine } from './ConnectionLine.tsx';
import { LineupLinks } from './LineupLinks.tsx';
import { placeOf } from './places.ts';
import { ReaderButton } from './ReaderButton.tsx';
import { RemoteKeys } from './RemoteKeys.tsx';

/**
 * What the sidebar has below its navigation: the line-up, or on the dial, which shows that itself, its keys; then the reader. The
 * operators' page inside the dial has no line-up and no keys.
 */
export function Desk({ path, onReader }: { readonly path: string; readonly onReader: (anchor: Anchor) => void }) {
  return (
    <>
      {placeOf(path) === 'dial' && !/[?&]operator\b/.test(path) ? <RemoteKeys /> : <LineupLinks path={path} />}
      <div className="side-foot">
        <ConnectionLine />
        <ReaderButton onReader={onReader} />
      </div>
    </>
  );
}
