import type { OperatorChannel } from '../../../../contract/operator.ts';
import { Avatar } from '../../../components/Avatar.tsx';
import { AnyIcon } from '../../../components/icons/AnyIcon.tsx';
import { sizeText } from '../../../components/media/format-media.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { channelStatus } from './channel-status.ts';

interface ChannelRowProps {
  readonly item: OperatorChannel;
  /** Current time, unix ms. */
  readonly now: number;
  readonly onOpen: () => void;
}

/** Channel row with its status text; opens the details and the actions. */
export function ChannelRow({ item, now, onOpen }: ChannelRowProps) {
  const m = useMsg();
  const { msg, number } = m;
  const { channel, messages, missing, hidden, storage } = item;
  const { tone, text } = channelStatus(m, item, now);
  const details = [
    ...(channel.private ? [msg('Private')] : []),
    ...(messages > 0 ? [msg(str`Posts: ${number(messages)}`)] : []),
    ...(missing > 0 ? [msg(str`May be missing: ${number(missing)}`)] : []),
    ...(hidden > 0 ? [msg(str`Hidden: ${number(hidden)}`)] : []),
    ...(storage > 0 ? [sizeText(m, storage)] : []),
  ];
  return (
    <li className="row">
      <button type="button" className="row-main" aria-haspopup="dialog" onClick={onOpen}>
        <Avatar channel={channel} />
        <span className="row-text">
          <bdi className="row-title">{channel.title}</bdi>
          <span className="row-state">
            <span className={`tone ${tone}`} aria-hidden="true" />
            {text}
          </span>
          {details.length > 0 && <span className="row-about">{details.join(' · ')}</span>}
        </span>
        <AnyIcon name="next" small />
      </button>
    </li>
  );
}
