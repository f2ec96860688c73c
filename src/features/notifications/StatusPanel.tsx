import type { ReactNode } from 'react';
import type { NotificationSettings } from '../../../contract/notifications.ts';
import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
import { useServices } from '../../context/services.ts';
import type { PushStatus } from '../../data/notifications/push-subscription.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import type { SectionProps } from './section-props.ts';
import { useTurnOn } from './use-turn-on.ts';

interface StatusPanelProps extends SectionProps {
  readonly pushStatus: PushStatus;
  /** Called after notifications were turned on for this device. */
  readonly onTurnedOn?: () => Promise<void>;
}

/**
 * Status panel: whether notifications arrive on this device and, if not, how the reader changes that. The browser asks for
 * the permission only after a press of the button, next to a sentence about what will arrive.
 */
export function StatusPanel(props: StatusPanelProps) {
  const { host } = useServices();
  if (props.data.settings.target === 'bot') return <BotPanel {...props} />;
  if (host.kind === 'telegram' && props.pushStatus !== 'on') return <TelegramPanel {...props} />;
  return <PushPanel {...props} />;
}

interface PanelProps {
  readonly icon: AnyIconName;
  readonly title: string;
  readonly text: string;
  /** True if notifications arrive. */
  readonly isOn?: boolean;
  readonly children?: ReactNode;
}

const Panel = ({ icon, title, text, isOn = false, children }: PanelProps) => (
  <section className={isOn ? 'notify-status on' : 'notify-status'}>
    <span className="notify-sign">
      <AnyIcon name={icon} />
    </span>
    <div>
      <h2>{title}</h2>
      <p>{text}</p>
      {children !== undefined && <div className="notify-acts">{children}</div>}
    </div>
  </section>
);

function PushPanel({ store, data, pushStatus, run, announce, onTurnedOn }: StatusPanelProps) {
  const messages = useMsg();
  const { msg } = messages;
  const { environment } = useServices();
  const turnOn = useTurnOn(store);
  const press = () =>
    void run(async () => {
      const status = await turnOn();
      if (status !== 'on') return;
      announce(msg('Notifications are on for this device.'));
      await onTurnedOn?.();
    });
  switch (pushStatus) {
    case 'on':
      return (
        <Panel isOn icon="bell" title={msg('On for this device')} text={msg('They arrive even while this app is closed.')} />
      );
    case 'off':
      return (
        <Panel icon="mute" title={msg('Off on this device')} text={comingText(messages, data.settings)}>
          <button type="button" className="button" onClick={press}>
            {msg('Turn on')}
          </button>
        </Panel>
      );
    case 'denied':
      return (
        <Panel
          icon="warning"
          title={msg('Blocked by the browser')}
          text={msg(
            'Allow notifications for this site in the settings of the browser. In most browsers, press the sign next to the address. Then come back here.',
          )}
        >
          <button type="button" className="button quiet" onClick={() => void store.refreshStatus()}>
            {msg('Check again')}
          </button>
        </Panel>
      );
    case 'install-first':
      return (
        <Panel
          icon="plus"
          title={msg('Add the app to the home screen first')}
          text={msg(
            'On this device, only apps on the home screen show notifications. Tap Share, then “Add to Home Screen”, and open the app from there.',
          )}
        />
      );
    case 'unsupported':
      return (
        <Panel
          icon="mute"
          title={msg('This browser shows no notifications')}
          text={
            environment.botApp === null
              ? msg('Open this site in another browser to get notifications.')
              : msg('Open this site in another browser to get notifications, or in Telegram, where the bot can write to you.')
          }
        >
          {environment.botApp !== null && (
            <a className="button quiet" href={environment.botApp}>
              {msg('Open in Telegram')}
            </a>
          )}
        </Panel>
      );
  }
}

/** Returns what will arrive, before the browser asks for the permission. */
function comingText({ msg }: Messages, { delivery }: NotificationSettings): string {
  switch (delivery) {
    case 'immediate':
      return msg(
        'Each new post of the channels that you choose will be shown once, and nothing else. Your browser asks for your permission first.',
      );
    case 'hourly':
      return msg(
        'Once an hour, a summary of new posts of the channels that you choose will be shown, and nothing else. Your browser asks for your permission first.',
      );
    case 'daily':
      return msg(
        'Once a day, a summary of new posts of the channels that you choose will be shown, and nothing else. Your browser asks for your permission first.',
      );
  }
}

/** Panel inside Telegram, whose windows show no notifications of websites. */
function TelegramPanel({ data }: StatusPanelProps) {
  const { msg } = useMsg();
  const { host } = useServices();
  return (
    <Panel
      icon="mute"
      title={msg('Telegram shows no notifications of apps')}
      text={
        data.canUseBot
          ? msg('Let the bot write to you instead, or open this site in a browser.')
          : msg('Open this site in a browser to get notifications.')
      }
    >
      <button type="button" className="button quiet" onClick={() => host.openLink(`${location.origin}/notifications`)}>
        {msg('Open in the browser')}
      </button>
    </Panel>
  );
}

function BotPanel({ data, store, run }: StatusPanelProps) {
  const { msg } = useMsg();
  const { host, environment } = useServices();
  if (data.botWriteAccess)
    return (
      <Panel
        isOn
        icon="bell"
        title={msg('The bot writes to you in Telegram')}
        text={msg('Send it /stop to end this, or choose your devices below.')}
      />
    );
  const allow = () =>
    void host.requestWriteAccess?.().then((result) => {
      if (result === 'allowed') void run(store.useBot);
    });
  return (
    <Panel icon="mute" title={msg('The bot may not write to you')} text={msg('Nothing arrives until you allow it in Telegram.')}>
      {host.requestWriteAccess !== undefined ? (
        <button type="button" className="button" onClick={allow}>
          {msg('Allow')}
        </button>
      ) : (
        environment.botApp !== null && (
          <a className="button quiet" href={environment.botApp}>
            {msg('Open in Telegram')}
          </a>
        )
      )}
    </Panel>
  );
}
