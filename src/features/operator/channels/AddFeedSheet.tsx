import { type FormEvent, useId, useState } from 'react';
import { MAX_FEED_URL_LENGTH } from '../../../../contract/limits.ts';
import { Sheet } from '../../../components/Sheet.tsx';
import { useServices } from '../../../context/services.ts';
import { toRequestFailure } from '../../../data/connection/connection.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { type OperatorSectionProps, useFailureText, useOperatorCall } from '../use-operator-api.ts';

interface AddFeedSheetProps extends Pick<OperatorSectionProps, 'show'> {
  readonly reload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Add-feed sheet: adds a feed by its URL; an error of the server is shown next to the field. */
export function AddFeedSheet({ show, reload, onClose }: AddFeedSheetProps) {
  const { msg } = useMsg();
  const call = useOperatorCall();
  const failureText = useFailureText();
  const { host } = useServices();
  const id = useId();
  const [state, setState] = useState<{ readonly busy: boolean; readonly error: string | null }>({ busy: false, error: null });
  const add = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const url = String(new FormData(event.currentTarget).get('url')).trim();
    setState({ busy: true, error: null });
    try {
      const channel = await call((api) => api.addFeed(url));
      host.haptic('success');
      onClose();
      show({ text: msg(str`Added: ${channel.title}`) });
      await reload();
    } catch (thrown) {
      host.haptic('error');
      setState({ busy: false, error: failureText(toRequestFailure(thrown)) });
    }
  };
  return (
    <Sheet title={msg('Add a feed')} onClose={onClose}>
      <form className="operator-sheet field" onSubmit={(event) => void add(event)}>
        <label htmlFor={id}>{msg('Address of an RSS, Atom or JSON feed')}</label>
        <input
          id={id}
          name="url"
          type="url"
          inputMode="url"
          dir="ltr"
          required
          maxLength={MAX_FEED_URL_LENGTH}
          placeholder="https://example.org/feed.xml"
          autoComplete="off"
          aria-invalid={state.error !== null}
          aria-describedby={`${id}-error`}
        />
        <p id={`${id}-error`} className="error" role="alert">
          {state.error !== null && <bdi>{state.error}</bdi>}
        </p>
        <div className="operator-ways">
          <button type="submit" className="button" disabled={state.busy}>
            {state.busy ? msg('Reading it…') : msg('Add')}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
