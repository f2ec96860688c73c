import { type FormEvent, useId, useRef } from 'react';
import { MAX_FEED_URL_LENGTH } from '../../../contract/limits.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { ImportExportProps } from './shared.ts';
import { type AddFeedState, useAddFeed } from './use-add-feed.ts';

/** Add-feed form: adds a feed by its URL and follows it. The typed text stays until the feed is loaded. */
export function AddFeedForm(props: ImportExportProps) {
  const { msg } = useMsg();
  const { typed, type: setTyped, adding, add } = useAddFeed(props);
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    field.current?.focus();
    void add();
  };
  const isBusy = adding.type === 'busy';
  return (
    <form className="add-feed" onSubmit={submit} noValidate>
      <label htmlFor={id}>{msg('Add a feed by its address')}</label>
      <div className="add-feed-line">
        <input
          ref={field}
          id={id}
          type="text"
          inputMode="url"
          dir="ltr"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="done"
          maxLength={MAX_FEED_URL_LENGTH}
          placeholder="example.org/feed.xml"
          value={typed}
          aria-invalid={adding.type === 'failed'}
          aria-describedby={`${id}-hint`}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" className="button" aria-disabled={isBusy || typed.trim() === ''}>
          {msg('Add')}
        </button>
      </div>
      <div id={`${id}-hint`}>
        <p className="add-feed-hint" role="status">
          <AddFeedHint adding={adding} rows={props.rows} />
        </p>
        <p className="error" role="alert">
          {adding.type === 'failed' && <bdi>{adding.message}</bdi>}
        </p>
      </div>
    </form>
  );
}

function AddFeedHint({ adding, rows }: { readonly adding: AddFeedState; readonly rows: ImportExportProps['rows'] }) {
  const m = useMsg();
  switch (adding.type) {
    case 'idle':
      return m.msg('RSS, Atom, JSON Feed, or the site itself; also the t.me link of a channel that is here.');
    case 'busy':
      return m.msg('Checking the address…');
    case 'already-added': {
      const number = rows.find((row) => row.channel.id === adding.channel.id)?.number ?? null;
      return number === null
        ? m.msg(str`${adding.channel.title} is already in your line-up.`)
        : m.msg(str`${adding.channel.title} is already in your line-up, as number ${m.number(number)}.`);
    }
    case 'failed':
      return null;
  }
}
