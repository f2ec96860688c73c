import { useId, useState } from 'react';
import type { OperatorChannel } from '../../../../contract/operator.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';

interface DisconnectDialogProps {
  readonly item: OperatorChannel;
  readonly busy: boolean;
  readonly onCancel: () => void;
  /** `keepPosts` is true if the stored posts and files stay. */
  readonly onDisconnect: (keepPosts: boolean) => void;
}

/**
 * Returns true if new posts arrive automatically. Otherwise there is no connection to end, and a channel can only be
 * removed.
 */
export const receivesNewPosts = ({ channel }: OperatorChannel): boolean => channel.source !== 'export';

/** Disconnect dialog: asks whether to keep or delete the stored posts of a channel, and explains each choice. */
export function DisconnectDialog({ item, busy, onCancel, onDisconnect }: DisconnectDialogProps) {
  const { msg, number } = useMsg();
  const [keepPosts, setKeepPosts] = useState(receivesNewPosts(item));
  const id = useId();
  const choices = [
    {
      value: true,
      label: msg('Keep posts and files'),
      explanation: msg('Readers can still read the channel. No new posts are added.'),
    },
    {
      value: false,
      label: msg('Delete posts and files'),
      explanation: msg(
        str`Readers lose the channel at once. In ten minutes this server deletes its posts (${number(item.messages)}) and files. Readers’ devices delete it when they next open the app. Copies that somebody posted elsewhere cannot be deleted.`,
      ),
    },
  ];
  return (
    <form
      className="operator-sheet"
      onSubmit={(event) => {
        event.preventDefault();
        onDisconnect(keepPosts);
      }}
    >
      <fieldset className="choices">
        <legend className="hidden">{msg('Posts and files')}</legend>
        {choices
          .filter(({ value }) => !value || receivesNewPosts(item))
          .map(({ value, label, explanation }) => (
            <label key={String(value)}>
              <input
                type="radio"
                name="keep"
                checked={keepPosts === value}
                aria-describedby={`${id}${value}`}
                onChange={() => setKeepPosts(value)}
              />
              <span>
                <b>{label}</b>
                <small id={`${id}${value}`}>{explanation}</small>
              </span>
            </label>
          ))}
      </fieldset>
      <p className="soft">
        {item.channel.source === 'bot'
          ? msg('The bot leaves the channel in ten minutes. Until then you can undo this.')
          : msg('You can undo this for ten minutes.')}
      </p>
      <div className="operator-ways">
        <button type="submit" className={keepPosts ? 'button' : 'button danger'} disabled={busy}>
          {keepPosts && msg('Disconnect')}
          {!keepPosts && (receivesNewPosts(item) ? msg('Disconnect and delete') : msg('Remove'))}
        </button>
        <button type="button" className="button outline" onClick={onCancel}>
          {msg('Cancel')}
        </button>
      </div>
    </form>
  );
}
