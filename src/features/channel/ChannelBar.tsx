import { type RefObject, useEffect, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { PREVIOUS } from '../../components/icons/previous-outline.ts';
import { To } from '../../components/Link.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Page of all channels: the way back where the channel was opened first. */
const ALL_CHANNELS = '/changer';

interface ChannelBarProps {
  readonly channel: Channel;
  /** The channel's head. The bar appears once the reader has scrolled past it. */
  readonly head: RefObject<HTMLElement | null>;
  onSearch(): void;
}

/** Bar of a channel on a narrow screen: the way back, the channel's name, and its search. It takes no room of its own. */
export function ChannelBar({ channel, head, onSearch }: ChannelBarProps) {
  const { msg } = useMsg();
  const isPast = useIsPast(head);
  return (
    <div className={isPast ? 'channel-bar past' : 'channel-bar'}>
      <div>
        <BackLink />
        <bdi>{channel.title}</bdi>
        <button type="button" className="icon-button" aria-label={msg('Search in this channel')} onClick={onSearch}>
          <Icon name="search" />
        </button>
      </div>
    </div>
  );
}

/** Leads to the previous page, else to all channels. Absent where Telegram shows a back button of its own, and on other sites. */
export function BackLink() {
  const { msg } = useMsg();
  const { host, site } = useServices();
  if (site.embedded || (host.kind === 'telegram' && host.supports('6.1'))) return null;
  return (
    <To
      className="icon-button channel-back"
      place={site}
      path={ALL_CHANNELS}
      aria-label={msg('Back')}
      onClick={(event) => {
        if (site.back === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        site.back(ALL_CHANNELS);
      }}
    >
      <Outline path={PREVIOUS} flip />
    </To>
  );
}

/** Returns whether an element has been scrolled out at the top. */
function useIsPast(element: RefObject<HTMLElement | null>): boolean {
  const [isPast, setPast] = useState(false);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry !== undefined) setPast(!entry.isIntersecting && entry.boundingClientRect.top < 0);
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return isPast;
}
