/* Empty states of the dial. */
import { Icon } from '../../components/icons/Icon.tsx';
import { EmptyState } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { internalLink } from '../../lib/links.ts';
import { ConnectOwnLink } from '../operator/ConnectOwnLink.tsx';
import { OPERATOR_PATH } from '../operator/OperatorLink.tsx';
import type { ActivePreset } from '../presets/use-active-preset.ts';
import type { OpenDialSheet } from './DialSheets.tsx';

/**
 * Shown if the site has no channel. An operator sees how to add one; a reader sees a hint to ask the person who sent
 * the link.
 */
export function NoChannels() {
  const { msg } = useMsg();
  const { environment, dataClient } = useServices();
  const session = useSignalValue(dataClient.session);
  const title = msg('No channels yet');
  if (session.type === 'signed-in' && session.user.operator)
    return (
      <EmptyState
        icon={<Icon name="dial" />}
        title={title}
        text={msg('Connect your first channel. Its new posts then appear here automatically.')}
      >
        <a className="button" href={OPERATOR_PATH}>
          {msg('Connect a channel')}
        </a>
        <p className="empty-aside">
          {msg('For earlier posts, export the channel with Telegram Desktop (as JSON) and import it on the server:')}
        </p>
        <code dir="ltr">npm run import -- ChatExport/result.json</code>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<Icon name="dial" />}
      title={title}
      text={msg('The operator of this app has not connected a channel. Ask the person who sent you the link.')}
    >
      <a className="button quiet" {...internalLink(environment, '/test')}>
        {msg('Check this app')}
      </a>
      <ConnectOwnLink />
    </EmptyState>
  );
}

interface NoCurrentChannelProps {
  readonly preset: ActivePreset;
  readonly followed: readonly LineupRow[];
  readonly setOpen: (open: OpenDialSheet) => void;
}

/** Shown instead of the current channel: the reader follows no channel, or none of the active preset. */
export function NoCurrentChannel({ preset, followed, setOpen }: NoCurrentChannelProps) {
  if (preset.active === null || followed.length === 0) return <NoFollowedChannels />;
  const { id } = preset.active;
  return <EmptyPreset preset={preset} onEdit={() => setOpen({ type: 'preset', id, channelIds: [] })} />;
}

/** Shown if the reader unfollowed every channel. */
function NoFollowedChannels() {
  const { msg } = useMsg();
  return (
    <EmptyState
      icon={<Icon name="dial" />}
      title={msg('You follow no channel')}
      text={msg('You unfollowed every channel. Follow one again to see it here.')}
    />
  );
}

/** Shown if the reader follows no channel of the preset, or if the preset is empty. */
function EmptyPreset({ preset, onEdit }: { readonly preset: ActivePreset; readonly onEdit: () => void }) {
  const { msg } = useMsg();
  return (
    <EmptyState
      icon={<Icon name="dial" />}
      title={msg(str`You follow no channel of “${preset.active?.name ?? ''}”`)}
      text={msg('Add channels to this preset, or go back to all of them.')}
    >
      <button type="button" className="button" onClick={onEdit}>
        {msg('Edit the preset')}
      </button>
      <button type="button" className="button quiet" onClick={() => preset.choose(null)}>
        {msg('Show all channels')}
      </button>
    </EmptyState>
  );
}
