import { useEffect, useMemo, useRef, useState } from 'react';
import { createAccountApi } from '../../api/account-api.ts';
import type { HttpClient } from '../../api/types.ts';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import styles from './account.css';
import { EraseAccount } from './EraseAccount.tsx';
import { Sessions } from './Sessions.tsx';
import { StoredData } from './StoredData.tsx';

interface AccountSheetProps {
  readonly onClose: () => void;
}

/** Account sheet: the reader's sessions, the data stored on the server, and the erasure of all of it. */
export function AccountSheet({ onClose }: AccountSheetProps) {
  const { httpClient } = useServices().environment;
  const style = useStylesheet(styles);
  const hasMessages = useAreaMessages('account');
  return (
    <div ref={style}>
      {hasMessages && httpClient !== undefined && <AccountContent httpClient={httpClient} onClose={onClose} />}
    </div>
  );
}

function AccountContent({ httpClient, onClose }: AccountSheetProps & { readonly httpClient: HttpClient }) {
  const { msg } = useMsg();
  const api = useMemo(() => createAccountApi(httpClient), [httpClient]);
  const [isErasing, setErasing] = useState(false);
  const [announcement, setAnnouncement] = useState('');
  /** Button that opens the question. It receives the focus again after a cancellation. */
  const opener = useRef<HTMLButtonElement>(null);
  const wasErasing = useRef(false);
  useEffect(() => {
    if (wasErasing.current && !isErasing) opener.current?.focus();
    wasErasing.current = isErasing;
  }, [isErasing]);
  return (
    <Sheet title={isErasing ? msg('Erase everything?') : msg('Your account')} onClose={onClose}>
      {isErasing && <EraseAccount api={api} onCancel={() => setErasing(false)} />}
      {/* Stays mounted while the question is shown, so that it is unchanged after a cancellation. */}
      <div hidden={isErasing}>
        <Sessions {...{ api, announce: setAnnouncement, onClose }} />
        <StoredData {...{ api, announce: setAnnouncement, opener }} onErase={() => setErasing(true)} />
      </div>
      <p className="account-said" role="status">
        {announcement}
      </p>
    </Sheet>
  );
}
