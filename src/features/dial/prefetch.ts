import type { Channels } from '../../data/model/client.ts';

/** So many channels are read ahead. */
const MOST = 40;

/** Reads channels' newest posts one after the other, so that any number finds them, until the signal or the connection ends. */
export async function readAhead(channels: Channels, ids: readonly string[], stop: AbortSignal): Promise<void> {
  if (savesData()) return;
  for (const id of ids.slice(0, MOST)) {
    if (stop.aborted || channels.connection.get() !== 'online') return;
    await once(channels.latest(id), stop);
  }
}

/** Shows a thing to nobody until something of it is there; what the device held is enough for a flip. */
function once(latest: ReturnType<Channels['latest']>, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      release();
      resolve();
    };
    const look = () => latest.get().type !== 'loading' && end();
    const release = latest.subscribe(look);
    stop.addEventListener('abort', end, { once: true });
    look();
  });
}

/** Whether the reader asked the browser to spare data. */
const savesData = (): boolean => {
  const connection: unknown = Reflect.get(navigator, 'connection');
  return typeof connection === 'object' && connection !== null && Reflect.get(connection, 'saveData') === true;
};
