import { Icon } from '../../components/icons/Icon.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { ConnectionLine } from '../sync-status/ConnectionLine.tsx';
import { navItemOf, navItems } from './nav-items.ts';

/**
 * Tab bar: the navigation of narrow screens, at the bottom. It is in the document flow, so that it does not hide the
 * end of the page. `path` is the path of the displayed page; `onReader` opens the reader's menu.
 */
export function TabBar({ path, onReader }: { readonly path: string; readonly onReader: () => void }) {
  const m = useMsg();
  const { environment } = useServices();
  const currentKey = navItemOf(path);
  return (
    <div className="bottom">
      <ConnectionLine />
      <nav className="tabs" aria-label={m.msg('Main', { desc: 'name of the main navigation' })}>
        {navItems(m).map((item) => (
          <a key={item.key} href={environment.baseUrl + item.path} aria-current={item.key === currentKey ? 'page' : undefined}>
            <Icon name={item.key} />
            <span>{item.label}</span>
          </a>
        ))}
        <button type="button" aria-haspopup="dialog" onClick={onReader}>
          <Icon name="person" />
          <span>{m.msg('You')}</span>
        </button>
      </nav>
    </div>
  );
}
