import { type RefObject, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { PLUS_OUTLINE } from '../../components/icons/plus-outline.ts';
import { BELL_OUTLINE, SAVE_OUTLINE } from '../../components/icons/shared-paths.ts';
import { ExternalLink, PageLink } from '../../components/Link.tsx';
import { useServices } from '../../context/services.ts';
import { setFollowed } from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import { sharedAddress, useShare } from '../post-list/use-post-actions.ts';
import { BackLink } from './ChannelBar.tsx';

/** Defined by the build (build/app-bundle.mjs): false in the bundle of the tags. */
declare const __APP__: boolean;

interface ChannelHeaderProps {
  readonly channel: Channel;
  show(toast: ToastContent | null): void;
}

/** Channel header: name and details of the channel, and the actions of the reader. */
export function ChannelHeader({ channel, show, head }: ChannelHeaderProps & { readonly head: RefObject<HTMLElement | null> }) {
  const { environment } = useServices();
  const { number } = useMsg();
  const row = useLineupRow(channel.id);
  return (
    <header ref={head} className={environment.embedded ? 'channel-head slim' : 'channel-head'} part="head">
      <BackLink />
      <Avatar channel={channel} base={environment.baseUrl} size="l" />
      <div className="channel-name">
        <h1>
          <PageLink linkContext={environment} path={channelPath(channel)}>
            <bdi>{channel.title}</bdi>
          </PageLink>
          {!environment.embedded && typeof row?.number === 'number' && <span className="key">{number(row.number)}</span>}
        </h1>
        <ChannelDetails channel={channel} />
      </div>
      {channel.about !== undefined && (
        <p className="channel-about" dir="auto">
          {channel.about}
        </p>
      )}
      <ChannelActions channel={channel} row={row} show={show} />
    </header>
  );
}

function ChannelDetails({ channel }: { readonly channel: Channel }) {
  const messages = useMsg();
  const details = [
    channel.username === undefined ? '' : `@${channel.username}`,
    channel.members === undefined ? '' : messages.plural(channel.members, messages.msg('one: # member | other: # members')),
    channel.private ? messages.msg('private') : '',
    channel.state === 'archived' ? messages.msg('no new posts') : '',
    channel.state === 'paused' ? pausedText(messages, channel.since) : '',
    channel.demo ? messages.msg('demo') : '',
  ].filter(Boolean);
  return (
    <p className="soft channel-facts">
      {details.map((detail) => (
        <span key={detail}>
          <bdi>{detail}</bdi>
        </span>
      ))}
    </p>
  );
}

/** Text of a channel that is no longer followed, with the date if it is known; `since` in unix seconds. */
function pausedText({ msg, localeTag }: Messages, since: number | undefined): string {
  if (since === undefined) return msg('paused');
  const date = new Intl.DateTimeFormat(localeTag(), { dateStyle: 'long' }).format(since * 1000);
  return msg(str`paused since ${date}`);
}

function ChannelActions({ channel, row, show }: ChannelHeaderProps & { readonly row: LineupRow | null }) {
  const services = useServices();
  const { dataClient, environment } = services;
  const { msg } = useMsg();
  const share = useShare(show);
  const followed = row?.followed === true;
  const follow = () => {
    const undoFollow = dataClient.applyLineupOperation(
      { action: followed ? 'unfollow' : 'follow', channelId: channel.id },
      setFollowed([channel.id], !followed),
    );
    const undo = () => {
      undoFollow();
      show(null);
    };
    const text = followed ? msg(str`You no longer follow ${channel.title}`) : msg(str`You follow ${channel.title}`);
    show({ text, action: { label: msg('Undo'), run: undo } });
  };
  const telegramUrl = channel.username === undefined ? null : `https://t.me/${channel.username}`;
  return (
    <div className="channel-acts">
      {!environment.embedded && row !== null && (
        <button type="button" className={followed ? 'button quiet' : 'button'} aria-pressed={followed} onClick={follow}>
          {followed ? <Icon name="done" small /> : <Outline path={PLUS_OUTLINE} small />}
          {followed ? msg('Following') : msg('Follow')}
        </button>
      )}
      <span className="spring" />
      {__APP__ && !environment.embedded && <NotificationsButton channel={channel} />}
      {!environment.embedded && <SaveButton channel={channel} />}
      <button
        type="button"
        className="icon-button"
        aria-label={msg('Share')}
        onClick={() => void share(sharedAddress(services, channelPath(channel), `c_${channel.id}`), channel.title)}
      >
        <Icon name="share" />
      </button>
      {telegramUrl !== null && !channel.demo && (
        <ExternalLink
          className="icon-button"
          href={telegramUrl}
          aria-label={msg('Open in Telegram')}
          title={msg('Open in Telegram')}
        >
          <Icon name="out" />
        </ExternalLink>
      )}
    </div>
  );
}

const loadNotificationsSheet = () =>
  import('../notifications/ChannelNotificationsSheet.tsx').then((module) => module.ChannelNotificationsSheet);

/** Button that opens the choice of the channel's notifications. Third-party pages do not load the sheet. */
function NotificationsButton({ channel }: { readonly channel: Channel }) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-label={msg('Notifications')}
        title={msg('Notifications')}
        onClick={() => setOpen(true)}
      >
        <Outline path={BELL_OUTLINE} />
      </button>
      {open && <NotificationsSheet channel={channel} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Notifications sheet, loaded when it is opened: it needs the server, so an earlier load would not help offline. */
function NotificationsSheet(props: { readonly channel: Channel; readonly onClose: () => void }) {
  const LoadedSheet = useLazyComponent(loadNotificationsSheet, true);
  return LoadedSheet && <LoadedSheet {...props} />;
}

const loadSavedChannelsSheet = () =>
  import('../saved-channels/SavedChannelsSheet.tsx').then((module) => module.SavedChannelsSheet);

function SaveButton({ channel: { id, title } }: { readonly channel: Channel }) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  const SaveSheet = useLazyComponent(loadSavedChannelsSheet, open);
  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-haspopup="dialog"
        aria-label={msg('Save for offline')}
        title={msg('Save for offline')}
        onClick={() => setOpen(true)}
      >
        <Outline path={SAVE_OUTLINE} />
      </button>
      {open && SaveSheet && <SaveSheet target={{ name: title, channelIds: [id] }} onClose={() => setOpen(false)} />}
    </>
  );
}

function useLineupRow(id: string) {
  const lineup = useSignalValue(useServices().dataClient.lineup);
  return lineup.type === 'loaded' ? (lineup.value.find((row) => row.channel.id === id) ?? null) : null;
}
