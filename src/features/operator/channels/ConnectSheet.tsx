import { useCallback, useEffect, useState } from 'react';
import type { ConnectResponse, OperatorOverview } from '../../../../contract/operator.ts';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import { Sheet } from '../../../components/Sheet.tsx';
import { useServices } from '../../../context/services.ts';
import { type RequestFailure as Failed, toRequestFailure } from '../../../data/connection/connection.ts';
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
  | { readonly type: 'failed'; readonly failure: Failed }
  | { readonly type: 'loaded'; readonly answer: ConnectResponse };

/**
 * Connect sheet: guides an operator to add the bot to a channel, by Telegram's own picker or by a link, and waits until the
 * channel is connected.
 */
export function ConnectSheet({ overview, reload, show, onClose }: ConnectSheetProps) {
  const { msg } = useMsg();
  const failureText = useFailureText();
  const { way, request } = useConnectRequest();
  const { newcomer, late, again } = useNewChannel(overview, way.type === 'loaded', reload);
  return (
    <Sheet title={msg('Connect a channel')} onClose={onClose}>
      <div className="operator-sheet">
        {newcomer === undefined ? (
          <>
            <p>
              {msg(
                'You choose a channel that you administer, and the bot becomes an administrator of it. It needs no right to post, edit or delete.',
              )}
            </p>
            {way.type === 'loaded' && <ConnectLinks answer={way.answer} show={show} onUse={again} />}
            {way.type === 'failed' && (
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
              <bdi>{newcomer.channel.title}</bdi>
            </span>
          </p>
        )}
        <p role="status" className="soft">
          {way.type === 'failed' && failureText(way.failure)}
          {way.type === 'loaded' &&
            newcomer === undefined &&
            (late ? msg('No channel came in two minutes. Try once more.') : msg('Waiting for the channel…'))}
          {newcomer !== undefined && msg(str`Connected: ${newcomer.channel.title}`)}
        </p>
        {newcomer !== undefined && (
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

/** Requests the ways to connect from the server when the sheet mounts. */
function useConnectRequest() {
  const call = useOperatorCall();
  const [way, setWay] = useState<ConnectState>({ type: 'loading' });
  const request = useCallback(() => {
    setWay({ type: 'loading' });
    call((api) => api.connect()).then(
      (answer) => setWay({ type: 'loaded', answer }),
      (thrown: unknown) => setWay({ type: 'failed', failure: toRequestFailure(thrown) }),
    );
  }, [call]);
  useEffect(request, [request]);
  return { way, request };
}

interface ConnectLinksProps extends Pick<OperatorSectionProps, 'show'> {
  readonly answer: ConnectResponse;
  /** Called when a way was chosen: the wait starts again. */
  readonly onUse: () => void;
}

function ConnectLinks({ answer: { prepared, link }, show, onUse }: ConnectLinksProps) {
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
