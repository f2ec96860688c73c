import { useState } from 'react';
import { useContentReport } from '../../components/content-status.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { EmptyState, ErrorState } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import type { PushStatus } from '../../data/notifications/push-subscription.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { RequestError } from '../account/RequestError.tsx';
import { useAccountRequest } from '../account/use-account-request.ts';
import { BackLink } from '../channel/ChannelBar.tsx';
import { ChannelChoices } from './ChannelChoices.tsx';
import { DeliverySettings } from './DeliverySettings.tsx';
import { DeviceList } from './DeviceList.tsx';
import { StatusPanel } from './StatusPanel.tsx';
import type { SectionProps } from './section-props.ts';
import { TargetChoice } from './TargetChoice.tsx';
import { TurnAllOff } from './TurnAllOff.tsx';
import { useNotifications } from './use-notification-store.ts';

/** Notifications page: the channels that the reader is notified of, the times, and the devices. */
export function NotificationsPage() {
  const { msg } = useMsg();
  const hasOwnMessages = useAreaMessages('notifications');
  // The texts of failed requests are those of the account.
  const hasErrorMessages = useAreaMessages('account');
  const hasMessages = hasOwnMessages && hasErrorMessages;
  useContentReport(hasMessages ? null : 'loading');
  return (
    <div className="notify">
      <header className="top">
        <div className="bar">
          <BackLink />
          <h1>{msg('Notifications')}</h1>
        </div>
      </header>
      {hasMessages && <NotificationsContent />}
    </div>
  );
}

function NotificationsContent() {
  const { msg } = useMsg();
  const { store, data, pushStatus, failure, reload } = useNotifications();
  if (failure?.status === 404)
    return (
      <EmptyState
        icon={<AnyIcon name="mute" />}
        title={msg('This site sends no notifications')}
        text={msg('The people who run it have turned them off.')}
      />
    );
  if (failure !== null && data === null) return <ErrorState failure={failure} onRetry={reload} />;
  if (store === null || data === null || pushStatus === null) return <NotificationsSkeleton />;
  return <LoadedSections store={store} data={data} pushStatus={pushStatus} />;
}

interface LoadedSectionsProps extends Pick<SectionProps, 'store' | 'data'> {
  readonly pushStatus: PushStatus;
}

function LoadedSections({ store, data, pushStatus }: LoadedSectionsProps) {
  const { msg } = useMsg();
  const session = useSignalValue(useServices().dataClient.session);
  const { thrown, run } = useAccountRequest();
  const [announcement, announce] = useState('');
  const sectionProps: SectionProps = { store, data, run, announce };
  const { target } = data.settings;
  const isSignedIn = session.type === 'signed-in';
  // The server stores settings for a reader or a device.
  const hasOwner = isSignedIn || data.devices.length > 0;
  const isReady = target === 'bot' ? data.botWriteAccess : pushStatus === 'on';
  return (
    <>
      <StatusPanel {...sectionProps} pushStatus={pushStatus} />
      <div className="notify-section">
        <RequestError thrown={thrown} />
        <p className="notify-said" role="status">
          {announcement}
        </p>
      </div>
      {data.canUseBot && <TargetChoice {...sectionProps} />}
      <ChannelChoices {...sectionProps} />
      {hasOwner && <DeliverySettings {...sectionProps} />}
      {isSignedIn && data.devices.length > 0 && <DeviceList {...sectionProps} />}
      <div className="notify-section notify-ends">
        {isReady && (
          <button
            type="button"
            className="button quiet"
            onClick={() => void run(store.sendTest).then((isSent) => isSent && announce(msg('A notification is on its way.')))}
          >
            {msg('Try it out')}
          </button>
        )}
        {(data.choices.length > 0 || data.devices.length > 0) && <TurnAllOff {...sectionProps} />}
      </div>
    </>
  );
}

function NotificationsSkeleton() {
  const { msg } = useMsg();
  return (
    <div className="notify-section bones" role="status" aria-label={msg('Loading')}>
      <span className="bone notify-bone" />
      <span className="bone notify-bone" />
    </div>
  );
}
