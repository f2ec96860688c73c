import { useState } from 'react';
import type { OperatorChannel } from '../../../../contract/operator.ts';
import type { ChannelAction } from '../../../api/operator-api.ts';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import { Sheet } from '../../../components/Sheet.tsx';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { channelPath } from '../../../lib/links.ts';
import { type OperatorSectionProps, useOperatorAction } from '../use-operator-api.ts';
import { ChannelDetails } from './ChannelFacts.tsx';
import { channelStatus } from './channel-status.ts';
import { DisconnectDialog, receivesNewPosts } from './DisconnectDialog.tsx';
import { Gaps } from './Gaps.tsx';
import { SiteKeys } from './SiteKeys.tsx';

interface ChannelSheetProps extends Pick<OperatorSectionProps, 'show'> {
  readonly item: OperatorChannel;
  /** Current time, unix ms. */
  readonly now: number;
  readonly reload: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Channel sheet: the details of a channel, and the actions of its operator. */
export function ChannelSheet({ item, now, show, reload, onClose }: ChannelSheetProps) {
  const m = useMsg();
  const { msg } = m;
  const { channel, connection, missing } = item;
  const { busy, run } = useOperatorAction(show);
  const [isDisconnecting, setDisconnecting] = useState(false);
  const { tone, text } = channelStatus(m, item, now);
  const runAction = async (action: ChannelAction, doneText: string) => {
    if (!(await run((api) => api.runChannelAction(channel.id, action)))) return;
    onClose();
    show({ text: doneText });
    await reload();
  };
  const reconnect = () => void runAction('reconnect', msg('Connected again.'));
  const disconnect = async (keepPosts: boolean) => {
    if (!(await run((api) => api.disconnect(channel.id, keepPosts)))) return;
    onClose();
    show({ text: msg(str`Disconnected: ${channel.title}`), action: { label: msg('Undo'), run: reconnect } });
    await reload();
  };
  if (isDisconnecting)
    return (
      <Sheet
        title={receivesNewPosts(item) ? msg(str`Disconnect ${channel.title}?`) : msg(str`Remove ${channel.title}?`)}
        onClose={onClose}
      >
        <DisconnectDialog
          item={item}
          busy={busy}
          onCancel={() => setDisconnecting(false)}
          onDisconnect={(keepPosts) => void disconnect(keepPosts)}
        />
      </Sheet>
    );
  return (
    <Sheet title={channel.title} onClose={onClose}>
      <div className="operator-sheet">
        <p className="row-state">
          <span className={`tone ${tone}`} aria-hidden="true" />
          {text}
        </p>
        {connection?.status === 'lost' && channel.source === 'bot' && (
          <p className="soft">{msg('Make the bot an administrator of the channel again: then its posts come as before.')}</p>
        )}
        {connection?.status === 'asking' && <AcceptButtons busy={busy} runAction={runAction} />}
        {connection?.status === 'leaving' && (
          <div className="operator-ways">
            <button type="button" className="button" disabled={busy} onClick={reconnect}>
              {msg('Undo disconnection')}
            </button>
          </div>
        )}
        <ChannelDetails item={item} now={now} />
        {missing > 0 && <Gaps channel={channel} />}
        {channel.private && connection?.status !== 'asking' && connection?.status !== 'leaving' && <SiteKeys channel={channel} />}
        {connection?.status !== 'asking' && (
          <ChannelMenu item={item} busy={busy} runAction={runAction} onDisconnect={() => setDisconnecting(true)} />
        )}
      </div>
    </Sheet>
  );
}

interface ChannelActionProps {
  readonly busy: boolean;
  /** Runs an action of the API, then closes the sheet and shows `doneText`. */
  readonly runAction: (action: ChannelAction, doneText: string) => Promise<void>;
}

/** Buttons that accept or decline a channel whose administrator asked for a connection. */
function AcceptButtons({ busy, runAction }: ChannelActionProps) {
  const { msg } = useMsg();
  return (
    <div className="operator-ways">
      <button
        type="button"
        className="button"
        disabled={busy}
        onClick={() => void runAction('accept', msg('Accepted. Its posts now appear.'))}
      >
        {msg('Accept')}
      </button>
      <button
        type="button"
        className="button outline"
        disabled={busy}
        onClick={() => void runAction('decline', msg('Declined.'))}
      >
        {msg('Decline')}
      </button>
    </div>
  );
}

interface ChannelMenuProps extends ChannelActionProps {
  readonly item: OperatorChannel;
  readonly onDisconnect: () => void;
}

function ChannelMenu({ item, busy, runAction, onDisconnect }: ChannelMenuProps) {
  const { msg } = useMsg();
  const { channel, connection } = item;
  return (
    <div className="menu">
      <hr />
      <a className="menu-item" href={channelPath(channel)}>
        <AnyIcon name="next" />
        {msg('Open channel')}
      </a>
      {channel.source === 'bot' && connection?.status === 'connected' && (
        <button
          type="button"
          className="menu-item"
          disabled={busy}
          onClick={() => void runAction('recheck', msg('Looking for deleted posts. This can take a few minutes.'))}
        >
          <AnyIcon name="refresh" />
          {msg('Look for deleted posts')}
        </button>
      )}
      {connection?.status !== 'leaving' && (
        <button type="button" className="menu-item" disabled={busy} onClick={onDisconnect}>
          <AnyIcon name="leave" />
          {receivesNewPosts(item) ? msg('Disconnect…') : msg('Remove…')}
        </button>
      )}
    </div>
  );
}
