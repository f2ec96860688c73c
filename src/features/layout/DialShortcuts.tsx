import { useMsg } from '../../i18n/i18n.ts';
import { KeyList } from '../shortcuts/KeyList.tsx';

/** The keys of the dial, beside it where there is room: the sidebar's line-up would say twice what the dial shows. */
export function RemoteKeys() {
  const { msg } = useMsg();
  return (
    <section className="remote-keys" aria-labelledby="remote-keys">
      <h2 id="remote-keys">{msg('Your keyboard is the remote')}</h2>
      <KeyList />
      <p className="remote-touch">{msg('Swipe the card to flip. Hold a row to move it.')}</p>
    </section>
  );
}
