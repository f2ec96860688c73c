import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { PickChannels } from './ChannelPicker.tsx';
import { ChooseFile } from './FilePicker.tsx';
import { Running } from './ImportProgress.tsx';
import { ImportReport } from './ImportReport.tsx';
import type { Subscriptions } from './model/opml-parse.ts';
import { addedPhrase, type Exchanging } from './shared.ts';
import { useImport } from './use-import.ts';

/** Import sheet for a list of subscriptions: choose the file, pick channels, follow the progress, and read the report. */
export function ImportSheet({ onClose, ...exchanging }: Exchanging & { readonly onClose: () => void }) {
  const m = useMsg();
  const { rows, say } = exchanging;
  const [file, setFile] = useState<Subscriptions | null>(null);
  const { importing, start, stop, total, undo } = useImport(exchanging);
  const close = () => {
    onClose();
    if (total() > 0) say(addedPhrase(m, total()), true);
  };
  return (
    <Sheet title={m.msg('Import OPML')} onClose={close}>
      {importing.type === 'running' ? (
        <Running {...importing} stop={stop} />
      ) : importing.type === 'done' ? (
        <ImportReport
          report={importing.report}
          again={(outlines) => start(outlines, [])}
          undo={() => {
            undo();
            onClose();
            say(m.msg('Undone'));
          }}
          onClose={close}
        />
      ) : file === null ? (
        <ChooseFile onRead={setFile} />
      ) : (
        <PickChannels {...{ file, rows, start }} />
      )}
    </Sheet>
  );
}
