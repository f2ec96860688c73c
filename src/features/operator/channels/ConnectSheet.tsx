import { useCallback, useEffect, useState } from 'react';
import type { ConnectResponse, OperatorOverview } from '../../../../contract/operator.ts';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import { Sheet } from '../../../components/Sheet.tsx';
import { useServices } from '../../../context/services.ts';
import { type RequestFailure, toRequestFailure } from '../../../data/connection/connection.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { useShare } from '../../post-list/use-post-actions.ts';
import { type OperatorSectionProps, useFailureText, useOperatorCall } from '../use-operator-api.ts';
import { useNewChannel } from './use-new-channel.ts';

interface ConnectSheetProps extends Pick<OperatorSectionProps, 'show'> {
  readonly overview: OperatorOverview;
  readonly reload: () => Promise<unknown>;
  readonly onClose: () => void;
}

type ConnectState =
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly failure: RequestFailure }
  | { readonly type: 'loaded'; readonly response: ConnectResponse };

/**
 * Connect sheet: guides an operator to add the bot to a channel, by Telegram's own picker or by a link, and waits until
 * the channel is connected.
 */
export function ConnectSheet({ overview, reload, show, onClose }: ConnectSheetProps) {
  const { msg } = useMsg();
  const failureText = useFailureText();
  const { state, request } = useConnectRequest();
  const { newChannel, isTimedOut, restart } = useNewChannel(overview, state.type === 'loaded', reload);
  return (
    <Sheet title={msg('Connect a channel')} onClose={onClose}>
      <div className="operator-sheet">
        {newChannel === undefined ? (
          <>
            <p>
              {msg(
                'You choose a channel that you administer, and the bot becomes an administrator of it. It needs no right to post, edit or delete.',
              )}
            </p>
            {state.type === 'loaded' && <ConnectLinks response={state.response} show={show} onUse={restart} />}
            {state.type === 'failed' && (
              <div className="operator-ways">
                <button type="button" className="button" onClick={request}>
                  {msg('Try again')}
                </button>
              </div>
            )}
          </>
        ) : (
          <p className="came">
            <AnyIcon name="check" />
            <span>
              <bdi>{newChannel.channel.title}</bdi>
            </span>
          </p>
        )}
        <p role="status" className="soft">
          {state.type === 'failed' && failureText(state.failure)}
          {state.type === 'loaded' &&
            newChannel === undefined &&
            (isTimedOut ? msg('No channel was connected within two minutes. Try again.') : msg('Waiting for the channel…'))}
          {newChannel !== undefined && msg(str`Connected: ${newChannel.channel.title}`)}
        </p>
        {newChannel !== undefined && (
          <div className="operator-ways">
            <button ref={focusButton} type="button" className="button" onClick={onClose}>
              {msg('Done')}
            </button>
          </div>
        )}
      </div>
    </Sheet>
  );
}

/** Moves the focus to this button: the link to Telegram that had it is removed when the channel arrives. */
const focusButton = (button: HTMLButtonElement | null): void => button?.focus({ preventScroll: true });

/** Requests the links for a connection when the sheet mounts; `request` requests them again. */
function useConnectRequest() {
  const call = useOperatorCall();
  const [state, setState] = useState<ConnectState>({ type: 'loading' });
  const request = useCallback(() => {
    setState({ type: 'loading' });
    call((api) => api.connect()).then(
      (response) => setState({ type: 'loaded', response }),
      (thrown: unknown) => setState({ type: 'failed', failure: toRequestFailure(thrown) }),
    );
  }, [call]);
  useEffect(request, [request]);
  return { state, request };
}

interface ConnectLinksProps extends Pick<OperatorSectionProps, 'show'> {
  readonly response: ConnectResponse;
  /** Called when the operator opens Telegram or the picker: the wait for the channel starts again. */
  readonly onUse: () => void;
}

/** Links to Telegram, where the operator chooses the channel; inside Telegram a button that opens its picker. */
function ConnectLinks({ response: { prepared, link }, show, onUse }: ConnectLinksProps) {
  const { msg } = useMsg();
  const { host } = useServices();
  const share = useShare(show);
  const choose = () => {
    onUse();
    if (prepared === null || host.requestChat === undefined) return host.openTelegramLink(link);
    void host.requestChat(prepared).then((outcome) => {
      if (outcome === 'cancelled') show({ text: msg('No channel was chosen.') });
    });
  };
  if (host.kind === 'telegram')
    return (
      <div className="operator-ways">
        <button type="button" className="button" onClick={choose}>
          {msg('Choose the channel')}
        </button>
      </div>
    );
  return (
    <>
      <p>{msg('Telegram asks you there which channel it is. Come back here afterwards.')}</p>
      <div className="operator-ways">
        <a className="button" href={link} target="_blank" rel="noopener noreferrer" onClick={onUse}>
          {msg('Open in Telegram')}
        </a>
        <button type="button" className="button outline" onClick={() => void share(link, msg('Connect a channel'))}>
          {msg('Share the link')}
        </button>
      </div>
    </>
  );
}
