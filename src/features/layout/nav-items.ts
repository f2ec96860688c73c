import type { Messages } from '../../i18n/i18n.ts';

/** Navigation item: a page that the navigation links to. */
export interface NavItem {
  readonly key: 'feed' | 'dial' | 'starred';
  readonly path: string;
  readonly label: string;
}

/** Returns the navigation items, in the order of the tabs. */
export const navItems = ({ msg }: Messages): readonly NavItem[] => [
  { key: 'feed', path: '/main', label: msg('Feed') },
  { key: 'dial', path: '/changer', label: msg('Dial') },
  { key: 'starred', path: '/main?show=starred', label: msg('Starred') },
];

/**
 * Returns the key of the navigation item that an address belongs to, or `check` for the diagnostics page; null for a
 * channel's page and all others.
 */
export function navItemOf(path: string): NavItem['key'] | 'check' | null {
  const [pathname = '', query = ''] = path.split('?');
  if (pathname === '/changer') return 'dial';
  if (pathname === '/test') return 'check';
  if (pathname !== '/main' && pathname !== '/') return null;
  return new URLSearchParams(query).get('show') === 'starred' ? 'starred' : 'feed';
}

/** Returns true if an address is that of the operators' page. It has the path of the dial, but not the dial's keys. */
export const isOperatorPage = (path: string): boolean => /[?&]operator\b/.test(path);

/** Returns the id or username in the address of a channel page; null elsewhere, or if it cannot be decoded. */
export function channelOf(path: string): string | null {
  const encodedName = /^\/channel\/([^/?#]+)/.exec(path)?.[1];
  if (encodedName === undefined) return null;
  try {
    return decodeURIComponent(encodedName);
  } catch {
    return null;
  }
}
