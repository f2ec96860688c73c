/* Channel toolbar: search field, media filter, grid switch and date jump. */
import { type RefObject, useState } from 'react';
import { Outline } from '../../components/icons/Icon.tsx';
import type { Anchor } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { SearchField } from '../search/SearchField.tsx';
import { isMedia, MEDIA } from '../search/search-params.ts';
import type { Drafts } from '../search/use-search-draft.ts';
import { useSearchKey } from '../search/use-search-shortcut.ts';
import { isSearch, type View } from './channel-params.ts';

/** See build/app-bundle.mjs. */
declare const __APP__: boolean;

const loadDateSheet = () => import('./date-jump/DateSheet.tsx').then((part) => part.DateSheet);
const CALENDAR = 'M6 5.5h12a2 2 0 0 1 2 2V18a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7.500a2 2 0 0 1 2-2m-2 4.500h16M8 3.500v4m8-4v4';

const GRID = 'M4 4h6v6H4zm10 0h6v6h-6zM4 14h6v6H4zm10 0h6v6h-6z';

interface ChannelToolsProps {
  readonly view: View;
  readonly drafts: Drafts;
  readonly field: RefObject<HTMLInputElement | null>;
  onView(view: View): void;
}

/** Search in the channel, a filter for posts with media, and a jump to a date. */
export function ChannelTools({ view, drafts, field, onView }: ChannelToolsProps) {
  const { msg } = useMsg();
  const { site } = useServices();
  useSearchKey(() => {
    field.current?.focus();
    field.current?.select();
  });
  const isOn = isMedia(view.kinds);
  const send = (q: string) => {
    drafts.settle({ ...view, q });
    // Closes a phone's keyboard, so that the search results are visible.
    if (q !== '') field.current?.blur();
  };
  return (
    <div className="channel-tools">
      <SearchField
        given={drafts.given}
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
          aria-pressed={isOn}
          onClick={() => drafts.settle({ ...view, kinds: isOn ? [] : MEDIA })}
        >
          {msg('Media')}
        </button>
      )}
      {isOn && !isSearch(view) && !site.embedded && (
        <button
          type="button"
          className="icon-button"
          aria-pressed={view.grid}
          aria-label={msg('Grid')}
          title={msg('Grid')}
          onClick={() => onView({ ...view, grid: !view.grid })}
        >
          <Outline path={GRID} />
        </button>
      )}
      {__APP__ && !isSearch(view) && !site.embedded && (
        <DateJump date={view.date} onDate={(date) => onView({ ...view, post: null, date })} />
      )}
    </div>
  );
}

interface DateJumpProps {
  readonly date: string;
  onDate(date: string): void;
}

/** Lazily loaded, so that third-party pages do not load the sheet. */
function DateJump({ date, onDate }: DateJumpProps) {
  const { msg } = useMsg();
  const [anchor, setAnchor] = useState<Anchor | null>(null);
  const DateSheet = useLazy(loadDateSheet, anchor !== null);
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
        <Outline path={CALENDAR} />
      </button>
      {anchor !== null && DateSheet !== null && (
        <DateSheet date={date} anchor={anchor} onDate={onDate} onClose={() => setAnchor(null)} />
      )}
    </>
  );
}
