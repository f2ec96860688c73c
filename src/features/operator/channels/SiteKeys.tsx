import { type FormEvent, useCallback, useId, useState } from 'react';
import type { Channel } from '../../../../contract/channel.ts';
import type { CreatedSiteKey, SiteKey } from '../../../../contract/operator.ts';
import type { OperatorApi } from '../../../api/operator-api.ts';
import { toRequestFailure } from '../../../data/connection/connection.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { LoadableContent } from '../ListStates.tsx';
import { useFailureText, useOperatorCall, useOperatorQuery } from '../use-operator-api.ts';

/**
 * Site keys: sites that may show a private channel. Creates a key for a site, and revokes it. Errors are shown in this
 * section, because the sheet covers the page.
 */
export function SiteKeys({ channel }: { readonly channel: Channel }) {
  const { msg } = useMsg();
  const call = useOperatorCall();
  const failureText = useFailureText();
  const id = useId();
  const { state, reload } = useOperatorQuery(useCallback((api: OperatorApi) => api.siteKeys(channel.id), [channel.id]));
  /** Key that was just created: only now its secret is known. */
  const [newKey, setNewKey] = useState<CreatedSiteKey | null>(null);
  const [{ busy, error }, setRequestState] = useState<{ readonly busy: boolean; readonly error: string | null }>({
    busy: false,
    error: null,
  });
  const runRequest = async (request: (api: OperatorApi) => Promise<void>) => {
    setRequestState({ busy: true, error: null });
    try {
      await call(request);
      setRequestState({ busy: false, error: null });
    } catch (thrown) {
      setRequestState({ busy: false, error: failureText(toRequestFailure(thrown)) });
    }
    await reload();
  };
  const createKey = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const origin = String(new FormData(form).get('origin')).trim();
    void runRequest(async (api) => {
      setNewKey(await api.createSiteKey(origin, channel.id));
      form.reset();
    });
  };
  const revoke = (key: SiteKey) =>
    void runRequest(async (api) => {
      await api.revokeSiteKey(key.id);
      setNewKey((shownKey) => (shownKey?.id === key.id ? null : shownKey));
    });
  return (
    <section className="gaps" aria-labelledby={id}>
      <h3 id={id}>{msg('On other sites')}</h3>
      <p>{msg('A site whose server has a key may show this channel to whom it lets.')}</p>
      {state.type !== 'loading' && (
        <LoadableContent state={state} reload={reload}>
          {({ items }) =>
            items.length > 0 && (
              <ul className="site-keys">
                {items.map((key) => (
                  <SiteKeyRow key={key.id} item={key} busy={busy} onRevoke={() => revoke(key)} />
                ))}
              </ul>
            )
          }
        </LoadableContent>
      )}
      <SiteKeyForm {...{ id, busy, error }} onSubmit={createKey} />
      <div role="status">{newKey !== null && <SiteKeySecret key={newKey.id} newKey={newKey} />}</div>
    </section>
  );
}

interface SiteKeyFormProps {
  /** Prefix of the ids of the form's elements. */
  readonly id: string;
  readonly busy: boolean;
  readonly error: string | null;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
}

/** Form for the address of a site that receives a key. */
function SiteKeyForm({ id, busy, error, onSubmit }: SiteKeyFormProps) {
  const { msg } = useMsg();
  return (
    <form className="field" onSubmit={onSubmit}>
      <label htmlFor={`${id}-origin`}>{msg('Address of the site')}</label>
      <input
        id={`${id}-origin`}
        name="origin"
        data-aside
        type="url"
        inputMode="url"
        dir="ltr"
        required
        maxLength={300}
        placeholder="https://club.example"
        autoComplete="off"
        aria-invalid={error !== null}
        aria-describedby={`${id}-error`}
      />
      <p id={`${id}-error`} className="error" role="alert">
        {error !== null && <bdi>{error}</bdi>}
      </p>
      <div className="operator-ways">
        <button type="submit" className="button outline" disabled={busy}>
          {msg('Create a key')}
        </button>
      </div>
    </form>
  );
}

interface SiteKeyRowProps {
  readonly item: SiteKey;
  readonly busy: boolean;
  readonly onRevoke: () => void;
}

function SiteKeyRow({ item, busy, onRevoke }: SiteKeyRowProps) {
  const m = useMsg();
  const { msg } = m;
  return (
    <li>
      <span>
        <bdi dir="ltr">{item.origin}</bdi>
        <br />
        <small>{m.fullDate(item.at)}</small>
      </span>
      <details>
        <summary className="button outline" aria-label={msg(str`Revoke the key for ${item.origin}`)}>
          {msg('Revoke…')}
        </summary>
        <p>{msg('The site stops showing the channel at once.')}</p>
        <button type="button" className="button danger" disabled={busy} onClick={onRevoke}>
          {msg('Revoke')}
        </button>
      </details>
    </li>
  );
}

/** Shows a key with its secret, as settings of the site's server. */
function SiteKeySecret({ newKey }: { readonly newKey: CreatedSiteKey }) {
  const { msg } = useMsg();
  const [copied, setCopied] = useState<boolean | null>(null);
  const text = `CHANGER_KEY_ID=${newKey.id}\nCHANGER_KEY_SECRET=${newKey.secret}`;
  const copy = () => {
    const written = navigator.clipboard?.writeText(text) ?? Promise.reject();
    written.then(
      () => setCopied(true),
      () => setCopied(false),
    );
  };
  return (
    <>
      <p>{msg('Shown only once: store it on the site’s server, and never send it to a page.')}</p>
      <pre dir="ltr" className="settings">
        <code>{text}</code>
      </pre>
      <div className="operator-ways">
        <button type="button" className="button" onClick={copy}>
          {copied === true ? msg('Copied') : msg('Copy')}
        </button>
      </div>
      {copied === false && <p>{msg('It cannot be copied here: select it by hand.')}</p>}
    </>
  );
}
