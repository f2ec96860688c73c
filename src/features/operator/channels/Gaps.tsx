import { useCallback } from 'react';
import type { Channel } from '../../../../contract/channel.ts';
import type { OperatorApi } from '../../../api/operator-api.ts';
import { str, useMsg } from '../../../i18n/i18n.ts';
import { postPath } from '../../../lib/links.ts';
import { LoadableContent } from '../ListStates.tsx';
import { useOperatorQuery } from '../use-operator-api.ts';

/** Gaps: positions where posts of a channel may be missing, and how to import them. */
export function Gaps({ channel }: { readonly channel: Channel }) {
  const m = useMsg();
  const { msg } = m;
  const { state, reload } = useOperatorQuery(useCallback((api: OperatorApi) => api.gaps(channel.id), [channel.id]));
  return (
    <section className="gaps" aria-labelledby="operator-gaps">
      <h3 id="operator-gaps">{msg('Where posts may be missing')}</h3>
      {state.type !== 'loading' && (
        <LoadableContent state={state} reload={reload}>
          {({ items }) => (
            <ul>
              {items.map(({ messageId, missing }) => (
                <li key={messageId}>
                  <a href={postPath(channel, messageId)}>
                    {m.plural(missing, m.msg('one: # post may be missing here | other: # posts may be missing here'))}
                  </a>
                  <small>{msg(str`before post ${m.number(messageId)}`)}</small>
                </li>
              ))}
            </ul>
          )}
        </LoadableContent>
      )}
      <p>
        {msg(
          'A bot does not see posts from before it was added. Export the channel with Telegram Desktop (as JSON) and import it on the server:',
        )}
      </p>
      <pre dir="ltr" className="settings">
        <code>npm run import -- ChatExport/result.json</code>
      </pre>
    </section>
  );
}
