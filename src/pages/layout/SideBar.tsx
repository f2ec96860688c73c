import { useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { Anchor } from '../../ui/Sheet.tsx';
import { useServices } from '../services.ts';
import { ConnectionLine } from './ConnectionLine.tsx';
import { LineupLinks } from './LineupLinks.tsx';
import { placeOf, places } from './places.ts';
import { ReaderButton } from './ReaderButton.tsx';
import { useLazy } from './use-lazy.ts';

const loadRemoteKeys = () => import('./RemoteKeys.tsx').then((part) => part.RemoteKeys);

/** The column beside the page on a wide screen: where to go, and the line-up; on the dial, which shows the line-up itself, its keys. */
export function SideBar({ path, onReader }: { readonly path: string; readonly onReader: (anchor: Anchor) => void }) {
  const m = useMsg();
  const { site } = useServices();
  const current = placeOf(path);
  const RemoteKeys = useLazy(loadRemoteKeys, current === 'dial');
  return (
    <div className="side">
      <header>
        <a className="brand" href={`${site.base}/main`}>
          <bdi>{site.brandName}</bdi>
        </a>
      </header>
      <nav className="segments" aria-label={m.msg('Main', { desc: 'name of the main navigation' })}>
        {places(m).map((place) => (
          <a
            key={place.key}
            href={site.base + place.path}
            aria-current={place.key === current ? 'page' : undefined}
            {...(place.key === 'check' ? { className: 'segment-check', 'aria-label': place.label, title: place.label } : {})}
          >
            {place.key === 'check' ? <Icon name="check" /> : place.label}
          </a>
        ))}
      </nav>
      {current !== 'dial' && <LineupLinks path={path} />}
      {current === 'dial' && (RemoteKeys === null ? <div className="remote-keys" /> : <RemoteKeys />)}
      <div className="side-foot">
        <ConnectionLine />
        <ReaderButton onReader={onReader} />
      </div>
    </div>
  );
}
