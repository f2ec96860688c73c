import { useMsg } from '../../i18n/i18n.ts';
import { KeyList } from '../shortcuts/KeyList.tsx';

/**
 * Dial shortcuts: the keys of the dial, next to it on a wide screen. There the sidebar's line-up would only repeat the
 * content of the dial.
 */
export function DialShortcuts() {
  const { msg } = useMsg();
  return (
    <section className="remote-keys" aria-labelledby="remote-keys">
      <h2 id="remote-keys">{msg('Your keyboard is the remote')}</h2>
      <KeyList />
      <p className="remote-touch">{msg('Swipe the card to flip. Hold a row to move it.')}</p>
    </section>
  );
}
