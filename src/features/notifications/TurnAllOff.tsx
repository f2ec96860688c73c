import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import type { SectionProps } from './section-props.ts';

/** Button that deletes all choices and devices, after a confirmation. */
export function TurnAllOff({ store, run, announce }: SectionProps) {
  const { msg } = useMsg();
  const [isOpen, setOpen] = useState(false);
  const turnOff = async () => {
    setOpen(false);
    if (await run(store.turnAllOff)) announce(msg('All notifications are off.'));
  };
  return (
    <>
      <button type="button" className="button outline notify-danger" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {msg('Turn all off…')}
      </button>
      {isOpen && (
        <Sheet title={msg('Turn all notifications off?')} onClose={() => setOpen(false)}>
          <p className="notify-text">{msg('Your choices and words are deleted, and all your devices are removed.')}</p>
          <div className="notify-acts end">
            <button type="button" className="button quiet" onClick={() => setOpen(false)}>
              {msg('Leave them on')}
            </button>
            <button type="button" className="button notify-danger filled" onClick={() => void turnOff()}>
              {msg('Turn all off')}
            </button>
          </div>
        </Sheet>
      )}
    </>
  );
}
