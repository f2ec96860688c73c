import { useId } from 'react';
import type { NotificationSettings } from '../../../contract/notifications.ts';
import { SegmentedControl } from '../../components/SegmentedControl.tsx';
import { useServices } from '../../context/services.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { SectionProps } from './section-props.ts';

/** Quiet hours that the switch proposes: 22:00 to 7:00. */
const DEFAULT_QUIET = { from: 1320, to: 420 };

/** Delivery settings: at once or as a digest, the time of a daily digest, and quiet hours. */
export function DeliverySettings({ data: { settings }, store, run }: SectionProps) {
  const { msg } = useMsg();
  const { host } = useServices();
  const id = useId();
  const change = (changed: Partial<NotificationSettings>) => void run(() => store.changeSettings(changed));
  const options = [
    { value: 'immediate', label: msg('At once') },
    { value: 'hourly', label: msg('Every hour') },
    { value: 'daily', label: msg('Once a day') },
  ] as const;
  const { delivery, dailyAt, quiet, timeZone } = settings;
  return (
    <section className="notify-section">
      <SegmentedControl
        legend={msg('When')}
        options={options}
        chosen={delivery}
        choose={(value) => {
          host.haptic('selection');
          change({ delivery: value });
        }}
      />
      <p className="notify-text">
        {delivery === 'immediate'
          ? msg('Each post by itself.')
          : msg('A summary: the newest post of each channel, and how many there are.')}
      </p>
      <div className="notify-card">
        {delivery === 'daily' && (
          <TimeField label={msg('Time of the summary')} minute={dailyAt} onChange={(minute) => change({ dailyAt: minute })} />
        )}
        <label className="notify-row" htmlFor={id}>
          <span>
            {msg('Quiet hours')} <small>{msg('Nothing is sent then. Afterwards you get what is new.')}</small>
          </span>
          <input
            id={id}
            type="checkbox"
            role="switch"
            aria-checked={quiet !== null}
            className="switch"
            checked={quiet !== null}
            onChange={({ currentTarget }) => change({ quiet: currentTarget.checked ? DEFAULT_QUIET : null })}
          />
        </label>
        {quiet !== null && (
          <>
            <TimeField label={msg('From')} minute={quiet.from} onChange={(from) => change({ quiet: { ...quiet, from } })} />
            <TimeField label={msg('Until')} minute={quiet.to} onChange={(to) => change({ quiet: { ...quiet, to } })} />
          </>
        )}
      </div>
      {(quiet !== null || delivery === 'daily') && (
        <p className="notify-text">{msg(str`Times are in this zone: ${zoneName(timeZone)}`)}</p>
      )}
    </section>
  );
}

/** Returns a readable name of an IANA time zone, for example "Europe/Berlin". */
const zoneName = (timeZone: string): string => timeZone.replaceAll('_', ' ');

interface TimeFieldProps {
  readonly label: string;
  /** Minute of the day. */
  readonly minute: number;
  readonly onChange: (minute: number) => void;
}

/** Time field. A change is saved when the field has a complete time. */
function TimeField({ label, minute, onChange }: TimeFieldProps) {
  const id = useId();
  return (
    <label className="notify-row" htmlFor={id}>
      <span>{label}</span>
      <input
        id={id}
        type="time"
        data-aside=""
        className="notify-time"
        defaultValue={formatMinute(minute)}
        key={minute}
        onBlur={({ currentTarget: { value } }) => {
          const parsed = parseMinute(value);
          if (parsed !== null && parsed !== minute) onChange(parsed);
        }}
      />
    </label>
  );
}

const formatMinute = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

/** Parses the value of a time field; null while it is incomplete. */
function parseMinute(value: string): number | null {
  const [, hours, minutes] = /^(\d\d):(\d\d)/.exec(value) ?? [];
  return hours === undefined || minutes === undefined ? null : Number(hours) * 60 + Number(minutes);
}
