import { ChannelFilter } from './ChannelFilter.tsx';
import { DateFilter } from './DateFilter.tsx';
import { KindFilter } from './KindFilter.tsx';
import type { SearchParams } from './search-params.ts';

export interface FilterChoicesProps {
  readonly filter: 'channels' | 'kinds' | 'dates';
  readonly view: SearchParams;
  /** Channels to choose from; empty for all. */
  readonly scope: readonly string[];
  onView(view: SearchParams): void;
}

/** Choices of a search filter, in its sheet. */
export function FilterChoices({ filter, view, scope, onView }: FilterChoicesProps) {
  switch (filter) {
    case 'channels':
      return <ChannelFilter {...{ view, scope, onView }} />;
    case 'kinds':
      return <KindFilter {...{ view, onView }} />;
    case 'dates':
      return <DateFilter {...{ view, onView }} />;
  }
}
