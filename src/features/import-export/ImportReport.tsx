import { useMsg } from '../../i18n/i18n.ts';
import type { FailedImport } from './model/import-channels.ts';
import type { OpmlOutline } from './model/opml-parse.ts';
import { addedText, focusOnMount, notAddedText } from './shared.ts';
import type { ImportSummary } from './use-import.ts';

interface ImportReportProps {
  readonly report: ImportSummary;
  readonly onRetry: (outlines: readonly OpmlOutline[]) => void;
  readonly onUndo: () => void;
  readonly onClose: () => void;
}

/** Import report: the number of added channels, and each failure with its reason. */
export function ImportReport({ report, onRetry, onUndo, onClose }: ImportReportProps) {
  const m = useMsg();
  const { added, alreadyAdded, failed, notTried } = report;
  return (
    <div className="exchange">
      <p className="sheet-note" tabIndex={-1} ref={focusOnMount}>
        {addedText(m, added)}.
        {alreadyAdded > 0 && ` ${m.plural(alreadyAdded, m.msg('one: # was there already. | other: # were there already.'))}`}
        {failed.length > 0 && ` ${m.plural(failed.length, m.msg('one: # could not be added: | other: # could not be added:'))}`}
        {notTried > 0 && ` ${m.plural(notTried, m.msg('one: # was not tried. | other: # were not tried.'))}`}
      </p>
      {failed.length > 0 && (
        <ul className="not-brought">
          {failed.map((failedImport) => (
            <FailedImportItem key={failedImport.outline.address} failedImport={failedImport} />
          ))}
        </ul>
      )}
      <div className="sheet-actions">
        {added > 0 && (
          <button type="button" className="button plain" onClick={onUndo}>
            {m.msg('Undo')}
          </button>
        )}
        {failed.length > 0 && (
          <button
            type="button"
            className="button quiet"
            onClick={() => onRetry(failed.map((failedImport) => failedImport.outline))}
          >
            {m.msg('Try these again')}
          </button>
        )}
        <button type="button" className="button" onClick={onClose}>
          {m.msg('Done')}
        </button>
      </div>
    </div>
  );
}

function FailedImportItem({ failedImport: { outline, failure } }: { readonly failedImport: FailedImport }) {
  const m = useMsg();
  return (
    <li>
      <bdi>{outline.title}</bdi>
      {outline.title !== outline.address && (
        <small>
          <bdi dir="ltr">{outline.address}</bdi>
        </small>
      )}
      <small className="error">{notAddedText(m, failure)}</small>
    </li>
  );
}
