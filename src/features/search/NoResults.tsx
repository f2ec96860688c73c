import type { ReactNode } from 'react';
import { Icon } from '../../components/icons/Icon.tsx';
import { EmptyState } from '../../components/States.tsx';
import { str, useMsg } from '../../i18n/i18n.ts';
import { isFiltered, type SearchParams } from './search-params.ts';

interface NoResultsProps {
  readonly view: SearchParams;
  readonly actions?: ReactNode;
  onView(view: SearchParams): void;
}

/** No results: suggestions to change the search, each as a button. */
export function NoResults({ view, actions, onView }: NoResultsProps) {
  const { msg } = useMsg();
  const { q, channels } = view;
  const fewer = q.split(/\s+/).slice(0, -1).join(' ');
  const hasOnlyChannelFilter = channels.length > 0 && !isFiltered({ ...view, channels: [] });
  const suggestions: readonly (readonly [name: string, view: SearchParams])[] = [
    ...(fewer === '' ? [] : [[msg(str`Search for “${fewer}”`), { ...view, q: fewer }] as const]),
    ...(channels.length > 0 ? [[msg('Search all channels'), { ...view, channels: [] }] as const] : []),
    ...(isFiltered(view) && !hasOnlyChannelFilter
      ? [[msg('Remove all filters'), { q, channels: [], kinds: [], from: '', to: '' }] as const]
      : []),
  ];
  return (
    <EmptyState
      icon={<Icon name="search" />}
      title={msg('Nothing found')}
      text={
        q === ''
          ? msg('No posts match these filters.')
          : msg(str`No posts contain “${q}”. Every word must match, in any of its forms.`)
      }
    >
      {actions}
      {suggestions.map(([name, next]) => (
        <button key={name} type="button" className="button quiet" onClick={() => onView(next)}>
          {name}
        </button>
      ))}
    </EmptyState>
  );
}
