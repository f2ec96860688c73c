import { Sheet } from '../../components/Sheet.tsx';
import { useMsg } from '../../i18n/i18n.ts';

/** Copy sheet: shows a text for manual copying, if neither a download nor the clipboard is available. */
export function CopySheet({ text, onClose }: { readonly text: string; readonly onClose: () => void }) {
  const { msg } = useMsg();
  return (
    <Sheet title={msg('Export OPML')} onClose={onClose}>
      <p className="sheet-note">{msg('Telegram cannot save files and did not allow copying: copy the text from here.')}</p>
      <textarea
        className="opml-text"
        readOnly
        dir="ltr"
        rows={10}
        aria-label={msg('The line-up as OPML')}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </Sheet>
  );
}
