import { useId, useRef } from 'react';
import type { NotificationDevice } from '../../../contract/notifications.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { str, useMsg } from '../../i18n/i18n.ts';
import type { SectionProps } from './section-props.ts';

/** Device list of a signed-in reader: each device that gets notifications, with a button that removes it. */
export function DeviceList({ data, store, run, announce }: SectionProps) {
  const { msg } = useMsg();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const remove = async (device: NotificationDevice) => {
    if (!(await run(() => store.removeDevice(device.id)))) return;
    announce(msg(str`${device.label} gets no notifications any more.`));
    // The pressed button disappears with its row.
    heading.current?.focus();
  };
  const devices = data.devices.toSorted((left, right) => Number(right.isCurrent) - Number(left.isCurrent));
  return (
    <section className="notify-section" aria-labelledby={id}>
      <h2 id={id} ref={heading} tabIndex={-1} className="notify-head">
        {msg('Devices')}
      </h2>
      <ul className="notify-card">
        {devices.map((device) => (
          <DeviceRow key={device.id} device={device} onRemove={() => void remove(device)} />
        ))}
      </ul>
    </section>
  );
}

interface DeviceRowProps {
  readonly device: NotificationDevice;
  readonly onRemove: () => void;
}

function DeviceRow({ device: { label, isCurrent, seenAt }, onRemove }: DeviceRowProps) {
  const { msg, relativeDate } = useMsg();
  const id = useId();
  const seen = relativeDate(seenAt, Date.now());
  return (
    <li className="notify-row">
      <AnyIcon name={isCurrent ? 'check' : 'bell'} />
      <span id={`${id}name`}>
        <bdi>{label}</bdi> <small>{isCurrent ? msg('The device that you use now') : msg(str`Last visit: ${seen}`)}</small>
      </span>
      <button type="button" id={id} className="button plain" aria-labelledby={`${id} ${id}name`} onClick={onRemove}>
        {msg('Remove')}
      </button>
    </li>
  );
}
