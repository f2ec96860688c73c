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
  const { httpClient: client } = useServices().environment;
  const style = useStylesheet(styles);
  const worded = useAreaMessages('account');
  return <div ref={style}>{worded && client !== undefined && <AccountContent client={client} onClose={onClose} />}</div>;
}

function AccountContent({ client, onClose }: AccountSheetProps & { readonly client: HttpClient }) {
  const { msg } = useMsg();
  const api = useMemo(() => createAccountApi(client), [client]);
  const [isErasing, setErasing] = useState(false);
  const [said, say] = useState('');
  const opener = useRef<HTMLButtonElement>(null);
  const wasErasing = useRef(false);
  useEffect(() => {
    if (wasErasing.current && !isErasing) opener.current?.focus();
    wasErasing.current = isErasing;
  }, [isErasing]);
  return (
    <Sheet title={isErasing ? msg('Erase everything?') : msg('Your account')} onClose={onClose}>
      {isErasing && <EraseAccount api={api} onCancel={() => setErasing(false)} />}
      {/* Stays mounted and unchanged, for a reader who returns from the question. */}
      <div hidden={isErasing}>
        <Sessions {...{ api, announce: say, onClose }} />
        <StoredData {...{ api, announce: say, opener }} onErase={() => setErasing(true)} />
      </div>
      <p className="account-said" role="status">
        {said}
      </p>
    </Sheet>
  );
}
