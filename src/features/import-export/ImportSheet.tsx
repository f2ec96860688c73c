import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { ChannelPicker } from './ChannelPicker.tsx';
import { FilePicker } from './FilePicker.tsx';
import { ImportProgressPanel } from './ImportProgress.tsx';
import { ImportReport } from './ImportReport.tsx';
import type { Subscriptions } from './model/opml-parse.ts';
import { addedText, type ImportExportProps } from './shared.ts';
import { useImport } from './use-import.ts';

/**
 * Import sheet for a list of subscriptions. Its steps are the file, the choice of channels, the progress and the
 * report.
 */
export function ImportSheet({ onClose, ...props }: ImportExportProps & { readonly onClose: () => void }) {
  const m = useMsg();
  const { rows, announce } = props;
  const [file, setFile] = useState<Subscriptions | null>(null);
  const { importing, start, stop, total, undo } = useImport(props);
  const close = () => {
    onClose();
    if (total() > 0) announce(addedText(m, total()), true);
  };
  return (
    <Sheet title={m.msg('Import OPML')} onClose={close}>
      {importing.type === 'running' ? (
        <ImportProgressPanel {...importing} stop={stop} />
      ) : importing.type === 'done' ? (
        <ImportReport
          report={importing.report}
          onRetry={start}
          onUndo={() => {
            undo();
            onClose();
            announce(m.msg('Undone'));
          }}
          onClose={close}
        />
      ) : file === null ? (
        <FilePicker onRead={setFile} />
      ) : (
        <ChannelPicker {...{ file, rows, start }} />
      )}
    </Sheet>
  );
}
