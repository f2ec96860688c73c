import type { BadUpdates } from '../../../contract/operator.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { ServerText } from './ListStates.tsx';

/** Bad updates: shows the updates from Telegram that could not be parsed, and how to restore their content. */
export function BadUpdatesLine({ updates: { count, newest } }: { readonly updates: BadUpdates }) {
  const { msg, plural } = useMsg();
  return (
    <section className="panel" aria-labelledby="operator-bad-updates">
      <h2 id="operator-bad-updates">
        {plural(count, msg('one: # update from Telegram could not be read | other: # updates from Telegram could not be read'))}
      </h2>
      <p>
        {msg(
          'What they contain may be missing here: a post, an edit or a reaction. They are stored for 30 days and tried again at each start: install the newest version, then start the server again. To restore what is still missing, import an export of the channel.',
        )}
      </p>
      <ul className="reasons">
        {newest.map(({ updateId, reason }) => (
          <li key={updateId}>
            <ServerText text={reason} />
          </li>
        ))}
      </ul>
    </section>
  );
}
