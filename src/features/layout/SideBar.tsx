import { useEffect, useState } from 'react';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { navItemOf, navItems } from './nav-items.ts';

const loadSideBarContent = () => import('./SideBarContent.tsx').then((module) => module.SideBarContent);

/** Sidebar next to the page on a wide screen: the navigation, and content that only such a screen has space for. */
export function SideBar({ path, onReader }: { readonly path: string; readonly onReader: (anchor: Anchor) => void }) {
  const m = useMsg();
  const { environment } = useServices();
  const current = navItemOf(path);
  const isWide = useIsWide();
  const SideBarContent = useLazyComponent(loadSideBarContent, isWide);
  return (
    <div className="side">
      <header>
        <a className="brand" href={`${environment.baseUrl}/main`}>
          <bdi>{environment.brandName}</bdi>
        </a>
      </header>
      <nav className="segments" aria-label={m.msg('Main', { desc: 'name of the main navigation' })}>
        {navItems(m).map((item) => (
          <a key={item.key} href={environment.baseUrl + item.path} aria-current={item.key === current ? 'page' : undefined}>
            {item.label}
          </a>
        ))}
      </nav>
      {isWide && SideBarContent !== null && <SideBarContent path={path} onReader={onReader} />}
    </div>
  );
}

/** Returns true if the sidebar is visible. The width is the same as in layout.css. */
function useIsWide(): boolean {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const query = matchMedia('(min-width: 1024px)');
    const update = () => setWide(query.matches);
    update();
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isWide;
}
