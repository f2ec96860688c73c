import type { ReactNode } from 'react';
import { headingFocusSuccessor } from '../../components/focus/focus-successor.ts';
import { Icon } from '../../components/icons/Icon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { shortCount } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type FeedFilterName, feedPath } from './feed-params.ts';

interface FeedFiltersProps {
  /** Null while further chips show the current filter. */
  readonly show: FeedFilterName | null;
  /** Id of the preset whose posts are filtered. */
  readonly presetId: string | undefined;
  /** Number of unread posts of the shown channels; null while unknown. */
  readonly unread: number | null;
  onMarkAllRead(): void;
  /** Further chips. */
  readonly children?: ReactNode;
}

/** Feed filters: the title of the feed, its filter chips, and a button that marks all posts as read. */
export function FeedFilters({ show, presetId, unread, onMarkAllRead, children }: FeedFiltersProps) {
  const m = useMsg();
  const { msg } = m;
  const { environment } = useServices();
  const names: readonly (readonly [FeedFilterName, string])[] = [
    ['all', msg('All')],
    ['unread', msg('Unread', { id: 'feed.unread', desc: 'filter of the feed' })],
    ['starred', msg('Starred')],
    ['media', msg('Media')],
  ];
  return (
    <header className="top">
      <div className="bar">
        <h1>{show === 'starred' ? msg('Starred') : msg('Feed')}</h1>
        {show !== 'starred' && show !== 'media' && unread !== null && unread > 0 && (
          <button
            ref={headingFocusSuccessor}
            type="button"
            className="icon-button"
            aria-label={msg('Mark all as read')}
            title={msg('Mark all as read')}
            onClick={onMarkAllRead}
          >
            <Icon name="done" />
          </button>
        )}
        <PageLink
          className="icon-button"
          linkContext={environment}
          path="/main?search"
          aria-label={msg('Search')}
          title={msg('Search')}
        >
          <Icon name="search" />
        </PageLink>
      </div>
      <nav className="chips" aria-label={msg('Show')}>
        {names.map(([filter, name]) => (
          <PageLink
            key={filter}
            className="chip"
            linkContext={environment}
            path={feedPath(filter, presetId)}
            {...(filter === show && { 'aria-current': 'page' })}
          >
            {name}
            {filter === 'unread' && (
              <b className={unread === 0 ? 'none' : undefined}>{unread !== null && shortCount(m, unread)}</b>
            )}
          </PageLink>
        ))}
        {children}
      </nav>
    </header>
  );
}
