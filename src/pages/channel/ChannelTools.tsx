import type { RefObject } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { SearchField } from '../posts/SearchField.tsx';
import type { Drafts } from '../search/use-drafts.ts';
import { useSearchKey } from '../search/use-search-key.ts';
import { isMedia, MEDIA } from '../search/view.ts';
import { isSearch, type View } from './view.ts';

interface ChannelToolsProps {
  readonly view: View;
  readonly drafts: Drafts;
  readonly field: RefObject<HTMLInputElement | null>;
}

/** Search inside the channel, and posts with media alone. */
export function ChannelTools({ view, drafts, field }: ChannelToolsProps) {
  const { msg } = useMsg();
  useSearchKey(() => {
    field.current?.focus();
    field.current?.select();
  });
  const isOn = isMedia(view.kinds);
  const send = (q: string) => {
    drafts.settle({ ...view, q });
    // A phone's keyboard makes way for what was found.
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
    </div>
  );
}
