import { type FormEvent, useEffect, useRef } from 'react';
import { useMsg } from '../../i18n/i18n.ts';
import { Icon } from '../../ui/Icon.tsx';
import type { View } from './view.ts';

interface ChannelToolsProps {
  readonly view: View;
  onView(view: View): void;
}

/** Search inside the channel, and posts with media alone. */
export function ChannelTools({ view, onView }: ChannelToolsProps) {
  const { msg } = useMsg();
  const input = useRef<HTMLInputElement>(null);
  // The address may change under the field (Back, a tag in a text); what is being typed is never touched otherwise.
  useEffect(() => {
    if (input.current !== null) input.current.value = view.q;
  }, [view.q]);
  const search = (event: FormEvent) => {
    event.preventDefault();
    onView({ q: input.current?.value.trim() ?? '', media: view.media, post: null });
  };
  return (
    <div className="channel-tools">
      <search>
        <form onSubmit={search}>
          <Icon name="search" small />
          <input
            ref={input}
            type="search"
            name="q"
            defaultValue={view.q}
            enterKeyHint="search"
            autoComplete="off"
            placeholder={msg('Search in this channel')}
            aria-label={msg('Search in this channel')}
          />
          {view.q !== '' && (
            <button
              type="button"
              className="icon-button"
              aria-label={msg('End the search')}
              onClick={() => onView({ ...view, q: '' })}
            >
              <Icon name="close" small />
            </button>
          )}
        </form>
      </search>
      <button
        type="button"
        className="chip"
        aria-pressed={view.media}
        onClick={() => onView({ ...view, media: !view.media, post: null })}
      >
        {msg('Media')}
      </button>
    </div>
  );
}
