import { useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { Icon } from '../../components/icons/Icon.tsx';
import { useLazyComponent } from '../../hooks/use-lazy-component.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import { AddFeedForm } from './AddFeedForm.tsx';
import styles from './import-export.css';
import type { ImportExportProps } from './shared.ts';
import { useExport } from './use-export.ts';

const loadImportSheet = () => import('./ImportSheet.tsx').then((module) => module.ImportSheet);
const loadShareLineupSheet = () => import('./ShareLineupSheet.tsx').then((module) => module.ShareLineupSheet);
const loadReceivedLineupSheet = () => import('./ReceivedLineupSheet.tsx').then((module) => module.ReceivedLineupSheet);
const loadCopySheet = () => import('./CopySheet.tsx').then((module) => module.CopySheet);

type OpenSheet = { readonly type: 'import' } | { readonly type: 'share' } | { readonly type: 'copy'; readonly text: string };

interface ImportExportSectionProps extends ImportExportProps {
  /** Code of a shared line-up in the URL. */
  readonly code: string | undefined;
}

/** Import and export section: a feed by its URL, import and export of the line-up, and a line-up received by a link. */
export function ImportExportSection({ code, ...props }: ImportExportSectionProps) {
  const { msg } = useMsg();
  const hasMessages = useAreaMessages('exchange');
  const style = useStylesheet(styles);
  const [open, setOpen] = useState<OpenSheet | null>(null);
  const Import = useLazyComponent(loadImportSheet, open?.type === 'import');
  const Share = useLazyComponent(loadShareLineupSheet, open?.type === 'share');
  const ReceivedLineup = useLazyComponent(loadReceivedLineupSheet, code !== undefined);
  const Copy = useLazyComponent(loadCopySheet, open?.type === 'copy');
  const exportLineup = useExport(props, (text) => setOpen({ type: 'copy', text }));
  const onClose = () => setOpen(null);
  const isEmpty = !props.rows.some((row) => row.followed);
  return (
    <div ref={style}>
      {hasMessages && (
        <section className="available elsewhere" aria-labelledby="elsewhere">
          <div className="section-head">
            <h2 id="elsewhere">{msg('From elsewhere')}</h2>
          </div>
          <AddFeedForm {...props} />
          <div className="elsewhere-ways">
            <button type="button" className="button quiet" aria-haspopup="dialog" onClick={() => setOpen({ type: 'import' })}>
              <AnyIcon name="inbox" small />
              {msg('Import OPML')}
            </button>
            {!isEmpty && (
              <button type="button" className="button quiet" onClick={() => void exportLineup()}>
                <AnyIcon name="file" small />
                {msg('Export OPML')}
              </button>
            )}
            {!isEmpty && (
              <button type="button" className="button quiet" aria-haspopup="dialog" onClick={() => setOpen({ type: 'share' })}>
                <Icon name="share" small />
                {msg('Share this line-up')}
              </button>
            )}
          </div>
        </section>
      )}
      {Import !== null && open?.type === 'import' && <Import {...props} onClose={onClose} />}
      {Share !== null && open?.type === 'share' && <Share {...props} onClose={onClose} />}
      {ReceivedLineup !== null && code !== undefined && <ReceivedLineup key={code} {...props} code={code} />}
      {Copy !== null && open?.type === 'copy' && <Copy text={open.text} onClose={onClose} />}
    </div>
  );
}
