import { useMsg } from '../../i18n/i18n.ts';
import type { NotBrought } from './model/import-channels.ts';
import type { Outline } from './model/opml-parse.ts';
import { addedPhrase, notAddedPhrase, takeFocus } from './shared.ts';
import type { Report } from './use-import.ts';

interface ImportReportProps {
  readonly report: Report;
  readonly again: (outlines: readonly Outline[]) => void;
  readonly undo: () => void;
  readonly onClose: () => void;
}

/** Import report: the number of added channels, and each failure with its reason. */
export function ImportReport({ report, again, undo, onClose }: ImportReportProps) {
  const m = useMsg();
  const { added, held, failed, left } = report;
  return (
    <div className="exchange">
      <p className="sheet-note" tabIndex={-1} ref={takeFocus}>
        {addedPhrase(m, added)}.
        {held > 0 && ` ${m.plural(held, m.msg('one: # was there already. | other: # were there already.'))}`}
        {failed.length > 0 && ` ${m.plural(failed.length, m.msg('one: # could not be added: | other: # could not be added:'))}`}
        {left > 0 && ` ${m.plural(left, m.msg('one: # was not tried. | other: # were not tried.'))}`}
      </p>
      {failed.length > 0 && (
        <ul className="not-brought">
          {failed.map((not) => (
            <Failed key={not.outline.address} not={not} />
          ))}
        </ul>
      )}
      <div className="sheet-actions">
        {added > 0 && (
          <button type="button" className="button plain" onClick={undo}>
            {m.msg('Undo')}
          </button>
        )}
        {failed.length > 0 && (
          <button type="button" className="button quiet" onClick={() => again(failed.map((not) => not.outline))}>
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

function Failed({ not: { outline, failure } }: { readonly not: NotBrought }) {
  const m = useMsg();
  return (
    <li>
      <bdi>{outline.title}</bdi>
      {outline.title !== outline.address && (
        <small>
          <bdi dir="ltr">{outline.address}</bdi>
        </small>
      )}
      <small className="error">{notAddedPhrase(m, failure)}</small>
    </li>
  );
}
