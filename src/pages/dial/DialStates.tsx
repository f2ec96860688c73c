import { useMsg } from '../../i18n/i18n.ts';
import { placeLink } from '../../ui/addresses.ts';
import { Icon } from '../../ui/Icon.tsx';
import { Empty } from '../../ui/States.tsx';
import { useServices } from '../services.ts';
import { useReadable } from '../use-readable.ts';
import { PostBones } from './LastPosts.tsx';
import { ConnectOwn, OPERATOR_PATH } from './OperatorLink.tsx';

/** The dial before its line-up is there: the same room, no words. */
export function DialSkeleton() {
  return (
    <div className="dial" aria-busy="true">
      <div className="dial-now">
        <div className="card card-skeleton">
          <div className="card-page">
            <div className="card-head">
              <span className="bone bone-number" />
              <span className="bone bone-picture" />
            </div>
            <span className="bone bone-name" />
            <p className="card-about">
              <span className="bone bone-line" />
            </p>
            <ul className="card-posts">
              <PostBones />
            </ul>
          </div>
        </div>
        <div className="remote">
          <span className="round bone" />
          <span className="bone bone-open" />
          <span className="round bone" />
          <p className="remote-last" />
        </div>
      </div>
      <div className="dial-lineup">
        <div className="section-head" />
        <div className="rows">
          {[1, 2, 3, 4, 5].map((row) => (
            <div key={row} className="row">
              <span className="row-main">
                <span className="row-number" />
                <span className="bone bone-avatar" />
                <span className="row-text">
                  <span className="bone bone-title" />
                  <span className="bone bone-about" />
                </span>
              </span>
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** There is no channel at all: an operator learns how to bring one in, a reader whom to ask. */
export function DialEmpty() {
  const { msg } = useMsg();
  const { site, channels } = useServices();
  const reader = useReadable(channels.reader);
  const title = msg('No channel yet');
  if (reader.type === 'signed-in' && reader.user.operator)
    return (
      <Empty
        icon={<Icon name="dial" />}
        title={title}
        text={msg('Connect your first channel. What it posts from then on comes here by itself.')}
      >
        <a className="button" href={OPERATOR_PATH}>
          {msg('Connect a channel')}
        </a>
        <p className="empty-aside">
          {msg('What was posted before comes by an export of Telegram Desktop (as JSON), imported on the server:')}
        </p>
        <code dir="ltr">npm run import -- ChatExport/result.json</code>
      </Empty>
    );
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={title}
      text={msg('The operator of this app has not connected a channel. Ask whoever sent you here.')}
    >
      <a className="button quiet" {...placeLink(site, '/test')}>
        {msg('Check this app')}
      </a>
      <ConnectOwn />
    </Empty>
  );
}

/** Every channel is turned off. */
export function AllOff() {
  const { msg } = useMsg();
  return (
    <Empty
      icon={<Icon name="dial" />}
      title={msg('Nothing is on')}
      text={msg('You turned every channel off. Follow one again to see it here.')}
    />
  );
}
