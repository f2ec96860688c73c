import { type DragEvent, type FormEvent, useId, useState } from 'react';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { decodeOpml, MAX_OPML_FILE_BYTES, type ParsedOpml, parseOpml, type Subscriptions } from './model/opml-parse.ts';

type OpmlRejection = Extract<ParsedOpml, { type: 'rejected' }>['reason'];

/** File picker of an import: accepts a list of subscriptions as a chosen or dropped file, or as text. */
export function FilePicker({ onRead }: { readonly onRead: (file: Subscriptions) => void }) {
  const m = useMsg();
  const [rejection, setRejection] = useState<OpmlRejection | null>(null);
  const [isDragOver, setDragOver] = useState(false);
  const id = useId();
  const handleParsed = (parsed: ParsedOpml) => {
    if (parsed.type === 'read') onRead(parsed);
    else setRejection(parsed.reason);
  };
  const readFile = async (file: File | undefined) => {
    if (file === undefined) return;
    if (file.size > MAX_OPML_FILE_BYTES) return setRejection('too-large');
    setRejection(null);
    try {
      handleParsed(parseOpml(decodeOpml(await file.arrayBuffer())));
    } catch {
      setRejection('malformed');
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragOver(false);
    void readFile(event.dataTransfer.files[0]);
  };
  const paste = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    handleParsed(parseOpml(String(new FormData(event.currentTarget).get('text'))));
  };
  return (
    <div className="exchange">
      <p className="sheet-note">{m.msg('A list of subscriptions from another reader, or a line-up that was exported here.')}</p>
      <label
        className={isDragOver ? 'drop over' : 'drop'}
        onDragOver={(event) => {
          event.preventDefault();
          setDragOver(true);
        }}
        onDragLeave={() => setDragOver(false)}
        onDrop={drop}
      >
        <AnyIcon name="file" />
        <span>{m.msg('Choose a file, or drop it here')}</span>
        <input
          type="file"
          aria-describedby={`${id}-error`}
          onChange={(event) => {
            void readFile(event.currentTarget.files?.[0]);
            event.currentTarget.value = '';
          }}
        />
      </label>
      <form onSubmit={paste}>
        <label htmlFor={id}>{m.msg('Or paste its text')}</label>
        <textarea
          id={id}
          name="text"
          className="opml-text"
          dir="ltr"
          rows={3}
          spellCheck={false}
          aria-describedby={`${id}-error`}
        />
        <p id={`${id}-error`} className="error" role="alert">
          {rejection !== null && opmlRejectionText(m, rejection)}
        </p>
        <div className="sheet-actions">
          <button type="submit" className="button quiet">
            {m.msg('Read the text')}
          </button>
        </div>
      </form>
    </div>
  );
}

function opmlRejectionText(m: Messages, rejection: OpmlRejection): string {
  switch (rejection) {
    case 'too-large':
      return m.msg('This is more than 5 MB: too large for a list of subscriptions.');
    case 'not-opml':
      return m.msg('This is not OPML: it has no <opml> in it.');
    case 'malformed':
      return m.msg('This OPML is damaged: it ends too early, or something in it is not closed. Export it once more.');
    case 'empty':
      return m.msg('There is no feed in it.');
  }
}
