import type { Messages } from '../../i18n/i18n.ts';

/** A place of the app that the navigation leads to. */
export interface Place {
  readonly key: 'feed' | 'dial' | 'starred';
  readonly path: string;
  readonly label: string;
}

/** The places of the navigation, in the order of its tabs. */
export const places = ({ msg }: Messages): readonly Place[] => [
  { key: 'feed', path: '/main', label: msg('Feed') },
  { key: 'dial', path: '/changer', label: msg('Dial') },
  { key: 'starred', path: '/main?show=starred', label: msg('Starred') },
];

/** Returns which place an address of the app belongs to, or that it checks the app; null on a channel's page and elsewhere. */
export function placeOf(path: string): Place['key'] | 'check' | null {
  const [pathname = '', query = ''] = path.split('?');
  if (pathname === '/changer') return 'dial';
  if (pathname === '/test') return 'check';
  if (pathname !== '/main' && pathname !== '/') return null;
  return new URLSearchParams(query).get('show') === 'starred' ? 'starred' : 'feed';
}

/** Returns whether an address is of the operators' page, which is inside the dial and has none of its keys. */
export const isOperating = (path: string): boolean => /[?&]operator\b/.test(path);

/** The id or username that a channel page's address names, null elsewhere or where it cannot be read. */
export function channelOf(path: string): string | null {
  const found = /^\/channel\/([^/?#]+)/.exec(path)?.[1];
  if (found === undefined) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return null;
  }
}
