import type { FileCounts, OperatorOverview } from '../../../contract/operator.ts';
import { sizeText } from '../../components/media/format-media.ts';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { fileFailureText } from './failure-messages.ts';
import { ServerText } from './ListStates.tsx';

/** Part of the quota above which the meter shows a high use. */
const HIGH_USE = 0.9;

/** File storage: the size of the stored files, and the download queue. */
export function FileStorage({ overview: { storage, queue, paused, pausedCode } }: { readonly overview: OperatorOverview }) {
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
          high={storage.quota * HIGH_USE}
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
      <FailureReasons files={queue} />
      {paused !== undefined && (
        <p>
          {msg('No files are fetched just now:')}{' '}
          {fileFailureText(m, { code: pausedCode, status: undefined }) ?? <ServerText text={paused} />}
        </p>
      )}
    </section>
  );
}

function usedText(m: Messages, { used, quota }: OperatorOverview['storage']): string {
  const taken = used === 0 ? m.number(0) : sizeText(m, used);
  return quota > 0 ? m.msg(str`${taken} of ${sizeText(m, quota)} used`) : m.msg(str`${taken} used`);
}

/**
 * Lists the reasons why files could not be fetched, with their counts; in the server's English text if there is no
 * translation.
 */
export function FailureReasons({ files: { failures = [] } }: { readonly files: FileCounts }) {
  const m = useMsg();
  if (failures.length === 0) return null;
  return (
    <ul className="reasons">
      {failures.map(({ code, status, reason, count }) => (
        <li key={reason}>
          <span>{fileFailureText(m, { code, status }) ?? <ServerText text={reason} />}</span>
          <b>{m.number(count)}</b>
        </li>
      ))}
    </ul>
  );
}
