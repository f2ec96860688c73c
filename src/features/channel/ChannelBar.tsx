import { type RefObject, useEffect, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { Icon, Outline } from '../../components/icons/Icon.tsx';
import { PREVIOUS_OUTLINE } from '../../components/icons/previous-outline.ts';
import { PageLink } from '../../components/Link.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** First version of the Telegram mini-app API that has a back button. */
const BACK_BUTTON_VERSION = '6.1';

/** The dial: target of the back link if the visit started with this channel. */
const DIAL_PATH = '/changer';

interface ChannelBarProps {
  readonly channel: Channel;
  /** Header of the channel. The bar appears when the reader has scrolled past it. */
  readonly head: RefObject<HTMLElement | null>;
  onSearch(): void;
}

/** Channel bar on a narrow screen: back link, channel name and search. It takes no space in the layout. */
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

/**
 * Link to the previous page, otherwise to all channels. Absent if Telegram shows its own back button, and on third-party
 * pages.
 */
export function BackLink() {
  const { msg } = useMsg();
  const { host, environment } = useServices();
  if (environment.embedded || (host.kind === 'telegram' && host.supports(BACK_BUTTON_VERSION))) return null;
  return (
    <PageLink
      className="icon-button channel-back"
      linkContext={environment}
      path={DIAL_PATH}
      aria-label={msg('Back')}
      onClick={(event) => {
        if (environment.back === undefined || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
        event.preventDefault();
        environment.back(DIAL_PATH);
      }}
    >
      <Outline path={PREVIOUS_OUTLINE} flip />
    </PageLink>
  );
}

/** Returns true if an element was scrolled out at the top. */
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
