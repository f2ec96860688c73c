import { Icon } from '../../components/icons/Icon.tsx';
import { To } from '../../components/Link.tsx';
import { Empty, StandIn } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';

/**
 * Channel not found: shown if the channel does not exist or the reader may not read it. Both cases look the same, so that the
 * existence of a private channel is not revealed.
 */
export function NoChannel() {
  const { msg } = useMsg();
  const { site } = useServices();
  return (
    <StandIn message="There is no such channel here">
      <Empty
        alone
        icon={<Icon name="dial" />}
        title={msg('There is no such channel here')}
        text={msg('It may have been renamed, removed, or be for members only.')}
      >
        <To className="button" place={site} path="/changer">
          {msg('See all channels')}
        </To>
        <To className="button quiet" place={site} path="/main">
          {msg('To the feed')}
        </To>
      </Empty>
    </StandIn>
  );
}
