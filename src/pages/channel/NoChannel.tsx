import { useMsg } from '../../i18n/i18n.ts';
import { placeLink } from '../../ui/addresses.ts';
import { Empty } from '../../ui/States.tsx';
import { useServices } from '../services.ts';

/** There is no such channel, or not for this reader: the two look the same, so that a private one is not given away. */
export function NoChannel() {
  const { msg } = useMsg();
  const { site } = useServices();
  return (
    <Empty
      icon="dial"
      title={msg('There is no such channel here')}
      text={msg('It may have been renamed, removed, or be for its members alone.')}
    >
      <a className="button" {...placeLink(site, '/changer')}>
        {msg('See all channels')}
      </a>
      <a className="button quiet" {...placeLink(site, '/main')}>
        {msg('To the feed')}
      </a>
    </Empty>
  );
}
