import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { type OperatorSectionProps, useOperatorAction } from './use-operator-api.ts';

interface DemoLineProps extends Pick<OperatorSectionProps, 'show'> {
  readonly count: number;
  readonly reload: () => Promise<unknown>;
}

/** Demo network: notice about the fictional channels of a first start, with a button that removes them. */
export function DemoLine({ count, show, reload }: DemoLineProps) {
  const { msg, plural } = useMsg();
  const { busy, run } = useOperatorAction(show);
  const [isConfirming, setConfirming] = useState(false);
  const remove = async () => {
    if (!(await run((api) => api.removeDemo()))) return;
    setConfirming(false);
    show({ text: msg('The demo channels are gone.') });
    await reload();
  };
  return (
    <section className="panel" aria-labelledby="operator-demo">
      <h2 id="operator-demo">{msg('Demo')}</h2>
      <p>
        {plural(count, msg('one: # channel was invented to try this app. | other: # channels were invented to try this app.'))}
      </p>
      <div className="operator-ways">
        <button type="button" className="button outline" onClick={() => setConfirming(true)}>
          {msg('Remove the demo channels…')}
        </button>
      </div>
      {isConfirming && (
        <Sheet title={msg('Remove the demo channels?')} onClose={() => setConfirming(false)}>
          <div className="operator-sheet">
            <p>{msg('All of them go at once, with their posts and files, and do not come back.')}</p>
            <div className="operator-ways">
              <button type="button" className="button danger" disabled={busy} onClick={() => void remove()}>
                {msg('Remove')}
              </button>
              <button type="button" className="button outline" onClick={() => setConfirming(false)}>
                {msg('Cancel')}
              </button>
            </div>
          </div>
        </Sheet>
      )}
    </section>
  );
}
