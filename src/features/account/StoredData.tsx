import { type RefObject, useId, useState } from 'react';
import type { AccountApi } from '../../api/account-api.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { useMsg } from '../../i18n/i18n.ts';
import { PrivacyLink } from '../layout/PrivacyLink.tsx';
import { RequestError } from './RequestError.tsx';
import { useAccountRequest } from './use-account-request.ts';

interface StoredDataProps {
  readonly api: AccountApi;
  readonly announce: (text: string) => void;
  /** Button that opens the question about erasing everything. */
  readonly opener: RefObject<HTMLButtonElement | null>;
  readonly onErase: () => void;
}

/** Shows what the server stores about the reader: a button copies it, a link explains it, a button erases it. */
export function StoredData({ api, announce, opener, onErase }: StoredDataProps) {
  const { msg } = useMsg();
  const { thrown, run } = useAccountRequest();
  /** The text to copy manually; null if that is not needed. */
  const [text, setText] = useState<string | null>(null);
  const id = useId();
  /** Copies to the clipboard, because Telegram's web views save no files, and readers are signed in only in Telegram. */
  const copy = () =>
    void run(async () => {
      const data = await api.storedData();
      const copied = await navigator.clipboard.writeText(data).then(
        () => true,
        () => false,
      );
      if (copied) announce(msg('Copied, because Telegram cannot save files. Paste it into a file.'));
      else setText(data);
    });
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="account-head">
        {msg('What is stored about you')}
      </h3>
      <div className="sheet-rows">
        <button type="button" onClick={copy}>
          <AnyIcon name="file" />
          {msg('Copy it as text')}
        </button>
        <PrivacyLink label={msg('What is stored, and for how long')} />
        <button type="button" ref={opener} className="account-erase" onClick={onErase}>
          <AnyIcon name="warning" />
          {msg('Erase everything…')}
        </button>
      </div>
      {text !== null && <TextToCopy text={text} />}
      <RequestError thrown={thrown} />
    </section>
  );
}

/** Shows the text for manual copying. Used if the app cannot write to the clipboard. */
function TextToCopy({ text }: { readonly text: string }) {
  const { msg } = useMsg();
  const id = useId();
  return (
    <>
      <p id={id} className="account-text" role="status">
        {msg('Telegram cannot save files and did not allow copying: copy the text from here.')}
      </p>
      <textarea
        className="account-copy"
        readOnly
        dir="ltr"
        rows={8}
        aria-labelledby={id}
        value={text}
        onFocus={(event) => event.currentTarget.select()}
      />
    </>
  );
}
