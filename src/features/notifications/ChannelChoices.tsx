import { useId, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Choice } from '../../../contract/notifications.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import type { SectionProps } from './section-props.ts';

const loadSheet = () => import('./ChannelNotificationsSheet.tsx').then((module) => module.ChannelNotificationsSheet);

type NamedChannel = Pick<Channel, 'id' | 'title' | 'picture'>;

/** Channel choices: the chosen channels, then the others of the line-up. A press opens the choice of a channel. */
export function ChannelChoices({ data }: Pick<SectionProps, 'data'>) {
  const { msg } = useMsg();
  const id = useId();
  const lineup = useSignalValue(useServices().dataClient.lineup);
  const [openChannel, setOpenChannel] = useState<NamedChannel | null>(null);
  const ChannelNotificationsSheet = useLazyComponent(loadSheet, openChannel !== null);
  const { choices } = data;
  const rows = lineup.type === 'loaded' ? lineup.value : [];
  const channels = new Map(rows.map(({ channel }) => [channel.id, channel]));
  const choiceOf = (channelId: string) => choices.find((choice) => choice.channelId === channelId);
  const others = rows.filter(({ followed, channel }) => followed && choiceOf(channel.id) === undefined);
  return (
    <section className="notify-section" aria-labelledby={id}>
      <h2 id={id} className="notify-head">
        {msg('Channels')}
      </h2>
      {choices.length > 0 ? (
        <>
          <ul className="notify-card">
            {choices.map((choice) => (
              <ChoiceRow key={choice.channelId} choice={choice} listed={channels.get(choice.channelId)} onOpen={setOpenChannel} />
            ))}
          </ul>
          {others.length > 0 && <OtherChannels rows={others} onOpen={setOpenChannel} />}
        </>
      ) : (
        <>
          <p className="notify-text">{msg('You have chosen no channel yet. Press one to choose.')}</p>
          <UnchosenList rows={others} onOpen={setOpenChannel} />
        </>
      )}
      {openChannel !== null && ChannelNotificationsSheet !== null && (
        <ChannelNotificationsSheet channel={openChannel} onClose={() => setOpenChannel(null)} />
      )}
    </section>
  );
}

interface UnchosenProps {
  readonly rows: readonly LineupRow[];
  readonly onOpen: (channel: NamedChannel) => void;
}

/** Disclosure of the channels without a choice. They are rendered only while it is open: a line-up may be long. */
function OtherChannels({ rows, onOpen }: UnchosenProps) {
  const m = useMsg();
  const [isOpen, setOpen] = useState(false);
  return (
    <details className="notify-more" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {m.plural(rows.length, m.msg('one: # other channel of your line-up | other: # other channels of your line-up'))}
        <AnyIcon name="down" small />
      </summary>
      {isOpen && <UnchosenList rows={rows} onOpen={onOpen} />}
    </details>
  );
}

function UnchosenList({ rows, onOpen }: UnchosenProps) {
  const { msg } = useMsg();
  return (
    <ul className="notify-card">
      {rows.map(({ channel }) => (
        <ChannelRow key={channel.id} channel={channel} text={msg('No notifications')} onOpen={onOpen} />
      ))}
    </ul>
  );
}

interface ChoiceRowProps {
  readonly choice: Choice;
  /** The channel, if the line-up lists it. */
  readonly listed: NamedChannel | undefined;
  readonly onOpen: (channel: NamedChannel) => void;
}

function ChoiceRow({ choice, listed, onOpen }: ChoiceRowProps) {
  const m = useMsg();
  const { channelId } = choice;
  const loaded = useSignalValue(useServices().dataClient.channel(channelId));
  const channel = listed ?? (loaded.type === 'loaded' ? loaded.value : { id: channelId, title: channelId });
  return <ChannelRow channel={channel} text={choiceText(m, choice)} onOpen={onOpen} />;
}

function choiceText({ msg }: Messages, { mode, words }: Choice): string {
  return mode === 'words' ? words.join(' · ') : msg('All posts');
}

interface ChannelRowProps {
  readonly channel: NamedChannel;
  /** The choice. */
  readonly text: string;
  readonly onOpen: (channel: NamedChannel) => void;
}

function ChannelRow({ channel, text, onOpen }: ChannelRowProps) {
  const { environment } = useServices();
  return (
    <li>
      <button type="button" className="notify-row" aria-haspopup="dialog" onClick={() => onOpen(channel)}>
        <Avatar channel={channel} base={environment.baseUrl} size="s" />
        <span>
          <bdi>{channel.title}</bdi>{' '}
          <small>
            <bdi>{text}</bdi>
          </small>
        </span>
        <AnyIcon name="next" small />
      </button>
    </li>
  );
}
