import type { OperatorOverview } from '../../../../contract/operator.ts';
import { type Messages, str, useMsg } from '../../../i18n/i18n.ts';
import { sizeText } from '../../../ui/media/measures.ts';

/** What the kept files take, and what is still to be fetched. */
export function FilesLine({ overview: { storage, queue, paused } }: { readonly overview: OperatorOverview }) {
  const m = useMsg();
  const { msg, number } = m;
  return (
    <section className="panel" aria-labelledby="operator-files">
      <h2 id="operator-files">{msg('Files')}</h2>
      <p>{usedText(m, storage)}</p>
      {storage.quota > 0 && (
        <meter
          min={0}
          max={storage.quota}
          high={storage.quota * 0.9}
          value={Math.min(storage.used, storage.quota)}
          aria-label={msg('Storage used')}
        />
      )}
      {storage.free !== undefined && <p>{msg(str`Free on the disk: ${sizeText(m, storage.free)}`)}</p>}
      {queue.waiting + queue.failed > 0 && (
        <p>
          {msg(str`Waiting to be fetched: ${number(queue.waiting)}`)}
          {queue.failed > 0 && <> · {msg(str`Could not be fetched: ${number(queue.failed)}`)}</>}
        </p>
      )}
      <Reasons reasons={queue.reasons} />
      {paused !== undefined && (
        <p className="server-words" lang="en" dir="auto">
          {paused}
        </p>
      )}
    </section>
  );
}

function usedText(m: Messages, { used, quota }: OperatorOverview['storage']): string {
  const taken = used === 0 ? m.number(0) : sizeText(m, used);
  return quota > 0 ? m.msg(str`${taken} of ${sizeText(m, quota)} used`) : m.msg(str`${taken} used`);
}

/** Why files could not be fetched, in the server's words, with how many. */
export function Reasons({ reasons }: { readonly reasons: Readonly<Record<string, number>> | undefined }) {
  const { number } = useMsg();
  const list = Object.entries(reasons ?? {});
  if (list.length === 0) return null;
  return (
    <ul className="reasons">
      {list.map(([reason, count]) => (
        <li key={reason}>
          <span lang="en" dir="auto" className="server-words">
            {reason}
          </span>
          <b>{number(count)}</b>
        </li>
      ))}
    </ul>
  );
}
