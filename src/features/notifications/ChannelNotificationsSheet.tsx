import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Choice, Notifications } from '../../../contract/notifications.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { ErrorState } from '../../components/States.tsx';
import choiceStyles from '../../components/styles/segmented-control.css';
import sheetStyles from '../../components/styles/sheet.css';
import { useServices } from '../../context/services.ts';
import type { NotificationsClient } from '../../data/notifications/notification-store.ts';
import type { PushStatus } from '../../data/notifications/push-subscription.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { RequestError } from '../account/RequestError.tsx';
import { useAccountRequest } from '../account/use-account-request.ts';
import styles from './notification-sheet.css';
import { StatusPanel } from './StatusPanel.tsx';
import { useNotifications } from './use-notification-store.ts';
import { WordList } from './WordList.tsx';

const STYLES = sheetStyles + choiceStyles + styles;

interface ChannelNotificationsSheetProps {
  readonly channel: Pick<Channel, 'id' | 'title'>;
  readonly onClose: () => void;
}

/** Channel notifications sheet: no notifications of a channel, of all its posts, or of posts with certain words. */
export function ChannelNotificationsSheet({ channel, onClose }: ChannelNotificationsSheetProps) {
  const { msg } = useMsg();
  const style = useStylesheet(STYLES);
  const hasOwnMessages = useAreaMessages('notifications');
  // The texts of failed requests are those of the account.
  const hasErrorMessages = useAreaMessages('account');
  return (
    <div ref={style}>
      {hasOwnMessages && hasErrorMessages && (
        <Sheet title={msg(str`Notifications: ${channel.title}`)} onClose={onClose}>
          <SheetContent channel={channel} onClose={onClose} />
        </Sheet>
      )}
    </div>
  );
}

function SheetContent({ channel, onClose }: ChannelNotificationsSheetProps) {
  const { msg } = useMsg();
  const { environment } = useServices();
  const { store, data, pushStatus, failure, reload } = useNotifications();
  if (failure?.status === 404)
    return <p className="notify-text">{msg('This site sends no notifications. The people who run it have turned them off.')}</p>;
  if (failure !== null && data === null) return <ErrorState failure={failure} onRetry={reload} />;
  if (store === null || data === null || pushStatus === null)
    return <span className="bone notify-bone" role="status" aria-label={msg('Loading')} />;
  return (
    <>
      <ChoiceEditor {...{ channel, store, data, pushStatus }} />
      <p className="notify-text">
        <a className="link" href={`${environment.baseUrl}/notifications`} onClick={onClose}>
          {msg('Times, devices and all channels')}
        </a>
      </p>
    </>
  );
}

interface ChoiceEditorProps extends Pick<ChannelNotificationsSheetProps, 'channel'> {
  readonly store: NotificationsClient;
  readonly data: Notifications;
  readonly pushStatus: PushStatus;
}

/**
 * Editor of the choice. Without a device, or without words, nothing can arrive: then the choice is saved when the reader
 * has turned notifications on, or added a word.
 */
function ChoiceEditor({ channel, store, data, pushStatus }: ChoiceEditorProps) {
  const { msg } = useMsg();
  const { host } = useServices();
  const { thrown, run } = useAccountRequest();
  const [announcement, announce] = useState('');
  const saved = data.choices.find(({ channelId }) => channelId === channel.id) ?? noChoice(channel.id);
  const [wanted, setWanted] = useState<Choice | null>(null);
  const choice = wanted ?? saved;
  const { target } = data.settings;
  const isReady = target === 'bot' ? data.botWriteAccess : pushStatus === 'on' || data.devices.length > 0;
  const save = async (next: Choice, text: string) => {
    setWanted(next);
    if (next.mode === 'off' && saved.mode === 'off') return setWanted(null);
    if (!isComplete(next) || (!isReady && next.mode !== 'off')) return;
    const isSaved = await run(() => store.choose(next));
    setWanted(null);
    if (isSaved) announce(text);
  };
  const choose = (mode: Choice['mode']) => {
    host.haptic('selection');
    const texts = {
      off: msg(str`${channel.title}: no notifications`),
      all: msg(str`${channel.title}: all posts`),
      words: msg(str`${channel.title}: posts with your words`),
    };
    void save({ channelId: channel.id, mode, words: mode === 'words' ? choice.words : [] }, texts[mode]);
  };
  const saveWanted = async () => {
    if (!isComplete(choice)) return;
    await store.choose(choice);
    setWanted(null);
  };
  const options = [
    { value: 'off', label: msg('None') },
    { value: 'all', label: msg('All posts') },
    { value: 'words', label: msg('With words') },
  ] as const;
  return (
    <>
      <SegmentedControl legend={msg('Notify me of')} options={options} chosen={choice.mode} choose={choose} />
      {choice.mode === 'words' && (
        <WordList words={choice.words} onChange={(words, text) => void save({ ...choice, words: [...words] }, text)} />
      )}
      {choice.mode !== 'off' && !isReady && (
        <StatusPanel {...{ store, data, run, announce, pushStatus }} onTurnedOn={saveWanted} />
      )}
      <RequestError thrown={thrown} />
      <p className="notify-said" role="status">
        {announcement}
      </p>
    </>
  );
}

/** Returns true if a choice can be saved. A choice by words needs a word. */
const isComplete = ({ mode, words }: Choice): boolean => mode !== 'words' || words.length > 0;

const noChoice = (channelId: string): Choice => ({ channelId, mode: 'off', words: [] });
