// Channel toolbar: search field, media filter, grid switch and date jump.

import { type RefObject, useState } from 'react';
import { Outline } from '../../components/icons/Icon.tsx';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { SearchField } from '../search/SearchField.tsx';
import { isMediaOnly, MEDIA_KINDS } from '../search/search-params.ts';
import type { SearchDrafts } from '../search/use-search-draft.ts';
import { useSearchShortcut } from '../search/use-search-shortcut.ts';
import { type ChannelView, isSearch } from './channel-params.ts';

/** Defined by the build (build/app-bundle.mjs): false in the bundle of the tags. */
declare const __APP__: boolean;

const loadDateSheet = () => import('./date-jump/DateSheet.tsx').then((module) => module.DateSheet);
const CALENDAR_OUTLINE =
  'M6 5.5h12a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7.500a2 2 0 0 1 2-2m-2 4.500h16M8 3.500v4m8-4v4';
const GRID_OUTLINE = 'M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h6v6h-6z';

interface ChannelToolbarProps {
  readonly view: ChannelView;
  readonly drafts: SearchDrafts;
  readonly field: RefObject<HTMLInputElement | null>;
  onView(view: ChannelView): void;
}

/** Search in the channel, a filter for posts with media, and a jump to a date. */
export function ChannelToolbar({ view, drafts, field, onView }: ChannelToolbarProps) {
  const { msg } = useMsg();
  const { environment } = useServices();
  useSearchShortcut(() => {
    field.current?.focus();
    field.current?.select();
  });
  const isMediaFilterOn = isMediaOnly(view.kinds);
  const send = (q: string) => {
    drafts.commit({ ...view, q });
    // Closes a phone's keyboard, so that the search results are visible.
    if (q !== '') field.current?.blur();
  };
  return (
    <div className="channel-tools">
      <SearchField
        value={drafts.fieldValue}
        label={msg('Search in this channel')}
        field={field}
        onType={drafts.type}
        onSend={send}
        onLeave={() => field.current?.blur()}
      />
      {!isSearch(view) && (
        <button
          type="button"
          className="chip"
          aria-pressed={isMediaFilterOn}
          onClick={() => drafts.commit({ ...view, kinds: isMediaFilterOn ? [] : MEDIA_KINDS })}
        >
          {msg('Media')}
        </button>
      )}
      {isMediaFilterOn && !isSearch(view) && !environment.embedded && (
        <button
          type="button"
          className="icon-button"
          aria-pressed={view.grid}
          aria-label={msg('Grid')}
          title={msg('Grid')}
          onClick={() => onView({ ...view, grid: !view.grid })}
        >
          <Outline path={GRID_OUTLINE} />
        </button>
      )}
      {__APP__ && !isSearch(view) && !environment.embedded && (
        <DateJump date={view.date} onDate={(date) => onView({ ...view, postId: null, date })} />
      )}
    </div>
  );
}

interface DateJumpProps {
  readonly date: string;
  onDate(date: string): void;
}

/** Button that opens the sheet for a date. Third-party pages do not load the sheet. */
function DateJump({ date, onDate }: DateJumpProps) {
  const { msg } = useMsg();
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const DateSheet = useLazyComponent(loadDateSheet, anchor !== null);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-label={msg('Go to a date')}
        title={msg('Go to a date')}
        onClick={({ currentTarget }) => setAnchor(currentTarget.getBoundingClientRect())}
      >
        <Outline path={CALENDAR_OUTLINE} />
      </button>
      {anchor !== null && DateSheet !== null && (
        <DateSheet date={date} anchor={anchor} onDate={onDate} onClose={() => setAnchor(null)} />
      )}
    </>
  );
}
