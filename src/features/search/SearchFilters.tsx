import { type FunctionComponent, lazy, type MouseEvent, Suspense, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Icon } from '../../components/icons/Icon.tsx';
import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelCount } from '../presets/preset-text.ts';
import type { FilterChoicesProps } from './FilterChoices.tsx';
import { useFilterLabels } from './filter-labels.ts';
import { isMediaOnly, type SearchParams } from './search-params.ts';
import type { SearchDrafts } from './use-search-draft.ts';

/** Choices of a filter. If their chunk cannot be fetched, the sheet is empty. */
const LazyFilterChoices = lazy(() =>
  import('./FilterChoices.tsx').then(
    ({ FilterChoices }): { default: FunctionComponent<FilterChoicesProps> } => ({ default: FilterChoices }),
    () => ({ default: () => null }),
  ),
);

interface SearchFiltersProps {
  readonly view: SearchParams;
  readonly drafts: SearchDrafts;
  readonly scope: readonly string[];
  /** True if the reader may choose among channels. */
  readonly withChannels?: boolean;
}

interface OpenFilter {
  readonly filter: FilterChoicesProps['filter'];
  readonly anchor: Anchor;
}

/** Width of an anchored sheet, px. */
const SHEET_WIDTH_PX = 340;
/** Distance between a chip and its sheet, px. */
const SHEET_GAP_PX = 14;

/**
 * Search filters: a chip that opens the sheet of each filter, and one chip for each active filter, which removes it.
 */
export function SearchFilters({ view, drafts, scope, withChannels = false }: SearchFiltersProps) {
  const { msg } = useMsg();
  const [open, setOpen] = useState<OpenFilter | null>(null);
  const filters: readonly (readonly [OpenFilter['filter'], string])[] = [
    ...(withChannels ? [['channels', msg('Channels')] as const] : []),
    ['kinds', msg('Kind')],
    ['dates', msg('Dates')],
  ];
  const show = (filter: OpenFilter['filter']) => (event: MouseEvent<HTMLElement>) => {
    drafts.commit();
    setOpen({ filter, anchor: anchorBelow(event.currentTarget.getBoundingClientRect()) });
  };
  const close = () => {
    drafts.commit();
    setOpen(null);
  };
  const title = filters.find(([filter]) => filter === open?.filter)?.[1] ?? '';
  return (
    <fieldset className="chips filters" aria-label={msg('Filters')}>
      {filters.map(([filter, name]) => (
        <button key={filter} type="button" className="chip" aria-haspopup="dialog" onClick={show(filter)}>
          {name}
          <AnyIcon name="down" small />
        </button>
      ))}
      <ActiveFilters view={view} onView={drafts.commit} />
      {open !== null && (
        <Sheet title={title} anchor={open.anchor} onClose={close}>
          <Suspense>
            <LazyFilterChoices {...{ view, scope }} filter={open.filter} onView={drafts.draft} />
          </Suspense>
          <button type="button" className="button choice-done" onClick={close}>
            {msg('Show results')}
          </button>
        </Sheet>
      )}
    </fieldset>
  );
}

/**
 * Returns an anchor that positions the sheet below the chip, at the start of the chip. Other sheets are next to their
 * anchor.
 */
const anchorBelow = ({ left, right, bottom }: DOMRect): Anchor => ({
  top: bottom + SHEET_GAP_PX,
  bottom: bottom + SHEET_GAP_PX,
  left: left + SHEET_WIDTH_PX,
  right: right - SHEET_WIDTH_PX,
});

/** Maximum number of channels with a chip each; more are shown as one filter, because there may be fifty. */
const MAX_CHANNEL_CHIPS = 2;

/** Active filters, each with a button that removes it. */
function ActiveFilters({ view, onView }: { readonly view: SearchParams; onView(view: SearchParams): void }) {
  const m = useMsg();
  const { msg } = m;
  const names = useFilterLabels();
  const without = <Item,>(list: readonly Item[], item: Item) => list.filter((other) => other !== item);
  const { channels, kinds, from, to } = view;
  const active: readonly (readonly [name: string, view: SearchParams, key?: string])[] = [
    ...(channels.length > MAX_CHANNEL_CHIPS
      ? [[channelCount(m, channels.length), { ...view, channels: [] }] as const]
      : channels.map((id) => [names.channel(id), { ...view, channels: without(channels, id) }, id] as const)),
    ...(isMediaOnly(kinds)
      ? [[msg('Media'), { ...view, kinds: [] }] as const]
      : kinds.map((kind) => [names.kind(kind), { ...view, kinds: without(kinds, kind) }] as const)),
    ...(from !== '' || to !== '' ? [[names.dates(from, to), { ...view, from: '', to: '' }] as const] : []),
  ];
  // Channels may have the same name, so their keys are their ids.
  return active.map(([name, remainingView, key = name]) => (
    <button
      key={key}
      type="button"
      className="chip filter-on"
      aria-label={msg(str`Remove the filter ${name}`)}
      onClick={({ currentTarget }) => {
        // Moves the focus before the focused chip is removed.
        currentTarget.parentElement?.querySelector('button')?.focus();
        onView(remainingView);
      }}
    >
      <bdi>{name}</bdi>
      <Icon name="close" small />
    </button>
  ));
}
