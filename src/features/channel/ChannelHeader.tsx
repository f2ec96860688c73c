import { type RefObject, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Avatar } from '../../components/Avatar.tsx';
import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { PLUS } from '../../components/icons/plus-outline.ts';
import { SAVE } from '../../components/icons/shared-paths.ts';
import { Out, To } from '../../components/Link.tsx';
import { useServices } from '../../context/services.ts';
import { follow as arrangeFollow } from '../../data/lineup/operations.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { useLazy } from '../../hooks/use-lazy-component.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { channelPath } from '../../lib/links.ts';
import { sharedAddress, useShare } from '../post-list/use-post-actions.ts';
import { BackLink } from './ChannelBar.tsx';

interface ChannelHeadProps {
  readonly channel: Channel;
  show(toast: ToastContent | null): void;
}

/** Channel header: name and details of the channel, and the actions of the reader. */
export function ChannelHead({ channel, show, head }: ChannelHeadProps & { readonly head: RefObject<HTMLElement | null> }) {
  const { site } = useServices();
  const { number } = useMsg();
  const row = useRow(channel.id);
  return (
    <header ref={head} className={site.embedded ? 'channel-head slim' : 'channel-head'} part="head">
      <BackLink />
      <Avatar channel={channel} base={site.base} size="l" />
      <div className="channel-name">
        <h1>
          <To place={site} path={channelPath(channel)}>
            <bdi>{channel.title}</bdi>
          </To>
          {!site.embedded && typeof row?.number === 'number' && <span className="key">{number(row.number)}</span>}
        </h1>
        <ChannelFacts channel={channel} />
      </div>
      {channel.about !== undefined && (
        <p className="channel-about" dir="auto">
          {channel.about}
        </p>
      )}
      <ChannelActs channel={channel} row={row} show={show} />
    </header>
  );
}

function ChannelFacts({ channel }: { readonly channel: Channel }) {
  const m = useMsg();
  const facts = [
    channel.username === undefined ? '' : `@${channel.username}`,
    channel.members === undefined ? '' : m.plural(channel.members, m.msg('one: # member | other: # members')),
    channel.private ? m.msg('private') : '',
    channel.state === 'archived' ? m.msg('no new posts') : channel.state === 'paused' ? pausedText(m, channel.since) : '',
    channel.demo ? m.msg('demo') : '',
  ].filter(Boolean);
  return (
    <p className="soft channel-facts">
      {facts.map((fact) => (
        <span key={fact}>
          <bdi>{fact}</bdi>
        </span>
      ))}
    </p>
  );
}

/** Text of a channel that is no longer followed, with the date if it is known; `since` in unix seconds. */
function pausedText({ msg, tag }: Messages, since: number | undefined): string {
  if (since === undefined) return msg('paused');
  const date = new Intl.DateTimeFormat(tag(), { dateStyle: 'long' }).format(since * 1000);
  return msg(str`paused since ${date}`);
}

function ChannelActs({ channel, row, show }: ChannelHeadProps & { readonly row: LineupRow | null }) {
  const services = useServices();
  const { channels, site } = services;
  const { msg } = useMsg();
  const share = useShare(show);
  const followed = row?.followed === true;
  const follow = () => {
    const takeBack = channels.arrange(
      { act: followed ? 'unfollow' : 'follow', channelId: channel.id },
      arrangeFollow([channel.id], !followed),
    );
    const undo = () => {
      takeBack();
      show(null);
    };
    const text = followed ? msg(str`You no longer follow ${channel.title}`) : msg(str`You follow ${channel.title}`);
    show({ text, action: { label: msg('Undo'), run: undo } });
  };
  const latest = channel.username === undefined ? null : `https://t.me/${channel.username}`;
  return (
    <div className="channel-acts">
      {!site.embedded && row !== null && (
        <button type="button" className={followed ? 'button quiet' : 'button'} aria-pressed={followed} onClick={follow}>
          {followed ? <Icon name="done" small /> : <Outline path={PLUS} small />}
          {followed ? msg('Following') : msg('Follow')}
        </button>
      )}
      <span className="spring" />
      {!site.embedded && <SaveButton channel={channel} />}
      <button
        type="button"
        className="icon-button"
        aria-label={msg('Share')}
        onClick={() => void share(sharedAddress(services, channelPath(channel), `c_${channel.id}`), channel.title)}
      >
        <Icon name="share" />
      </button>
      {latest !== null && !channel.demo && (
        <Out className="icon-button" href={latest} aria-label={msg('Open in Telegram')} title={msg('Open in Telegram')}>
          <Icon name="out" />
        </Out>
      )}
    </div>
  );
}

const loadSaveSheet = () => import('../saved-channels/SavedChannelsSheet.tsx').then((part) => part.SaveSheet);

function SaveButton({ channel: { id, title } }: { readonly channel: Channel }) {
  const { msg } = useMsg();
  const [open, setOpen] = useState(false);
  const SaveSheet = useLazy(loadSaveSheet, open);
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
        <Outline path={SAVE} />
      </button>
      {open && SaveSheet && <SaveSheet wanted={{ name: title, channelIds: [id] }} onClose={() => setOpen(false)} />}
    </>
  );
}

function useRow(id: string) {
  const lineup = useReadable(useServices().channels.lineup);
  return lineup.type === 'loaded' ? (lineup.value.find((row) => row.channel.id === id) ?? null) : null;
}
