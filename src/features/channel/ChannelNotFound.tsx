import { Icon } from '../../components/icons/Icon.tsx';
import { PageLink } from '../../components/Link.tsx';
import { EmptyState, FallbackSlot } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/**
 * Channel not found: shown if the channel does not exist or the reader may not read it. Both cases look the same, so that the
 * existence of a private channel is not revealed.
 */
export function ChannelNotFound() {
  const { msg } = useMsg();
  const { environment } = useServices();
  return (
    <FallbackSlot message="Channel not found">
      <EmptyState
        isPageHeading
        icon={<Icon name="dial" />}
        title={msg('Channel not found')}
        text={msg('It may have been renamed, removed, or be for members only.')}
      >
        <PageLink className="button" linkContext={environment} path="/changer">
          {msg('See all channels')}
        </PageLink>
        <PageLink className="button quiet" linkContext={environment} path="/main">
          {msg('Go to the feed')}
        </PageLink>
      </EmptyState>
    </FallbackSlot>
  );
}
