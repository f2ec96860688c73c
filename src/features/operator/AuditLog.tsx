import { useState } from 'react';
import type { AuditEntry } from '../../../contract/operator.ts';
import type { OperatorApi } from '../../api/operator-api.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { EmptyState } from '../../components/States.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { LoadableContent } from './ListStates.tsx';
import { personName } from './person-name.ts';
import { type OperatorSectionProps, useOperatorAction, useOperatorQuery } from './use-operator-api.ts';

const loadNewestEntries = (api: OperatorApi) => api.auditLog(null);

/** Audit log: the actions of operators with their time, newest first. Older pages are added below. */
export function AuditLogSection({ show }: OperatorSectionProps) {
  const { msg } = useMsg();
  const { state, reload } = useOperatorQuery(loadNewestEntries);
  const { busy, run } = useOperatorAction(show);
  const [older, setOlder] = useState<{ readonly entries: readonly AuditEntry[]; readonly cursor: string | null } | null>(null);
  const loadOlder = (cursor: string) =>
    run(async (api) => {
      const page = await api.auditLog(cursor);
      setOlder((previous) => ({ entries: [...(previous?.entries ?? []), ...page.items], cursor: page.next }));
    });
  return (
    <LoadableContent state={state} reload={reload}>
      {(page) => {
        const entries = [...page.items, ...(older?.entries ?? [])];
        const nextCursor = older === null ? page.next : older.cursor;
        if (entries.length === 0)
          return (
            <EmptyState
              icon={<AnyIcon name="check" />}
              title={msg('No actions yet')}
              text={msg('Actions of operators are recorded here for a year.')}
            />
          );
        return (
          <>
            <ul className="rows operator-rows" aria-label={msg('History')}>
              {entries.map((entry) => (
                <AuditEventRow key={entry.id} entry={entry} />
              ))}
            </ul>
            {nextCursor !== null && (
              <div className="operator-ways">
                <button type="button" className="button quiet" disabled={busy} onClick={() => void loadOlder(nextCursor)}>
                  {msg('Show older')}
                </button>
              </div>
            )}
            <p className="operator-note">{msg('Kept for a year. Where an account was erased here, only its number stays.')}</p>
          </>
        );
      }}
    </LoadableContent>
  );
}

function AuditEventRow({ entry }: { readonly entry: AuditEntry }) {
  const m = useMsg();
  const now = useNow();
  const details = [entry.channelTitle, detailText(m, entry)].filter((text) => text !== undefined);
  return (
    <li className="row act">
      <div className="row-text">
        <span className="row-title">{actionText(m, entry.act)}</span>
        {details.length > 0 && (
          <span className="act-what">
            {details.map((text, index) => (
              <span key={text}>
                {index > 0 && ' · '}
                <bdi>{text}</bdi>
              </span>
            ))}
          </span>
        )}
        <span className="row-about">
          <bdi>{personName(m, entry.actor)}</bdi> · <time title={m.fullDate(entry.at)}>{m.relativeDate(entry.at, now)}</time>
        </span>
      </div>
    </li>
  );
}

/** Returns the detail of an action: the kind of a disconnection, the number of a post, or the server's text. */
function detailText(m: Messages, { act: action, detail }: AuditEntry): string | undefined {
  if (detail === undefined) return undefined;
  if (action === 'disconnect') return detail === 'keep' ? m.msg('kept posts and files') : m.msg('deleted posts and files');
  return action === 'hide' || action === 'restore' ? m.msg(str`post ${m.number(Number(detail))}`) : detail;
}

function actionText({ msg }: Messages, action: AuditEntry['act']): string {
  switch (action) {
    case 'connect':
      return msg('Connected a channel');
    case 'disconnect':
      return msg('Disconnected a channel');
    case 'reconnect':
      return msg('Undid a disconnection');
    case 'accept':
      return msg('Accepted a channel');
    case 'decline':
      return msg('Declined a channel');
    case 'recheck':
      return msg('Looked for deleted posts');
    case 'add-feed':
      return msg('Added a feed');
    case 'hide':
      return msg('Hid a post');
    case 'restore':
      return msg('Restored a post');
    case 'brand':
      return msg('Changed the brand');
    case 'brand-reset':
      return msg('Went back to the brand of the settings');
    case 'import':
      return msg('Imported a channel');
    case 'site-key':
      return msg('Let another site show a channel');
    case 'site-key-revoke':
      return msg('Revoked another site’s key');
    case 'remove-demo':
      return msg('Removed the demo channels');
  }
}
