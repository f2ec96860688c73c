import { useState } from 'react';
import { Sheet } from '../../components/Sheet.tsx';
import { useServices } from '../../context/services.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { erasePublicDatabase, eraseReaderDatabase } from '../../storage/erase.ts';

/** Data to delete. */
interface ResetScope {
  /** The app's files: service worker and caches. */
  readonly files: boolean;
  readonly posts: boolean;
  readonly readerData: boolean;
}

/**
 * Reset sheet: resets the app on this device. It first asks which data to delete; the reader's own data is not selected
 * by default.
 */
export function ResetSheet({ onClose }: { readonly onClose: () => void }) {
  const { msg } = useMsg();
  const { host } = useServices();
  const [scope, setScope] = useState<ResetScope>({ files: true, posts: true, readerData: false });
  const [busy, setBusy] = useState(false);
  const [isUnreachable, setUnreachable] = useState(false);
  const renderCheckbox = (name: keyof ResetScope, label: string, hint: string) => (
    <label className="repair-part">
      <input
        type="checkbox"
        checked={scope[name]}
        onChange={(event) => setScope({ ...scope, [name]: event.currentTarget.checked })}
      />
      <span>
        {label}
        <small>{hint}</small>
      </span>
    </label>
  );
  const reset = async () => {
    setBusy(true);
    // The files can be loaded again only if the server is reachable.
    const wouldLoseFiles = scope.files && !(await isServerReachable());
    setUnreachable(wouldLoseFiles);
    if (wouldLoseFiles) {
      setScope({ ...scope, files: false });
      setBusy(false);
      return;
    }
    await resetDevice(scope, host.readerId());
    location.reload();
  };
  return (
    <Sheet title={msg('Repair and reset')} onClose={onClose}>
      <p className="report-hint">{msg('Choose what to delete from this device. The app then reloads.')}</p>
      {renderCheckbox('files', msg('The app’s files'), msg('Service worker and caches; they come back by themselves.'))}
      {renderCheckbox('posts', msg('Saved posts'), msg('They come back when you read online.'))}
      {renderCheckbox(
        'readerData',
        msg('My line-up, stars and reading positions'),
        msg('What is not saved in an account is lost for good.'),
      )}
      {isUnreachable && (
        <p className="report-hint" role="alert">
          {msg('The server does not answer, so the app’s files could not be downloaded again: they stay for now.')}
        </p>
      )}
      <div className="repair-go">
        <button type="button" className="button quiet" onClick={onClose}>
          {msg('Cancel')}
        </button>
        <button
          type="button"
          className="button"
          disabled={busy || !(scope.files || scope.posts || scope.readerData)}
          onClick={() => void reset()}
        >
          {msg('Reset and reload')}
        </button>
      </div>
    </Sheet>
  );
}

/** Returns true if the server is reachable without the service worker and without any cache. */
const isServerReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Deletes the chosen data. If one part fails, the others are still deleted. */
async function resetDevice({ files, posts, readerData }: ResetScope, readerId: string | null): Promise<void> {
  await Promise.allSettled([
    files && 'serviceWorker' in navigator ? unregisterWorkers() : null,
    files && 'caches' in window ? deleteCaches() : null,
    posts ? erasePublicDatabase() : null,
    readerData ? eraseReaderDatabase(readerId) : null,
  ]);
}

async function unregisterWorkers(): Promise<void> {
  const registrations = await navigator.serviceWorker.getRegistrations();
  await Promise.all(registrations.map((registration) => registration.unregister()));
}

async function deleteCaches(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}
