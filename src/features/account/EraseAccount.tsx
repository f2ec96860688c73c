import { useEffect, useRef } from 'react';
import type { AccountApi } from '../../api/account-api.ts';
import { useServices } from '../../context/services.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { showErasedDialog } from './erased-dialog.ts';
import { RequestError } from './RequestError.tsx';
import { useAccountRequest } from './use-account-request.ts';

interface EraseAccountProps {
  readonly api: AccountApi;
  readonly onCancel: () => void;
}

/**
 * Erase account: explains the effect of the erasure, and requests a confirmation. The data on the server is erased first, then
 * the data on this device.
 */
export function EraseAccount({ api, onCancel }: EraseAccountProps) {
  const messages = useMsg();
  const { msg } = messages;
  const { dataClient, environment } = useServices();
  const session = useSignalValue(dataClient.session);
  const { busy, thrown, run } = useAccountRequest();
  const keepButton = useRef<HTMLButtonElement>(null);
  // The button that opened this view is hidden; the focus goes to the safe choice, because Enter must not erase by
  // mistake.
  useEffect(() => keepButton.current?.focus(), []);
  const erase = async () => {
    if (!(await run(api.erase))) return;
    await environment.signOut?.();
    showErasedDialog(messages);
  };
  return (
    <>
      <p className="account-text">
        {msg('This erases your account: your line-up, presets, stars and reading positions. You are signed out on every device.')}
      </p>
      <p className="account-text">
        {msg(
          'This device deletes what it stores about you, including changes that were not sent yet. Other devices keep their copies until you sign out there.',
        )}
      </p>
      {session.type === 'signed-in' && session.user.operator && (
        <p className="account-text">{msg('The record of what you did as an operator stays for a year, by your id alone.')}</p>
      )}
      <p className="account-text">
        <b>{msg('It cannot be undone.')}</b> {msg('If you open the app in Telegram again, a new, empty account is created.')}
      </p>
      <RequestError thrown={thrown} />
      <div className="account-acts">
        <button type="button" ref={keepButton} className="button quiet" onClick={onCancel}>
          {msg('Keep everything')}
        </button>
        <button type="button" className="button danger" aria-disabled={busy} onClick={() => void erase()}>
          {busy ? msg('Being erased…') : msg('Erase everything')}
        </button>
      </div>
    </>
  );
}
