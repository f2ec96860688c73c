import { useEffect } from 'react';
import type { Channels, LineupRow } from '../../channels/channels.ts';
import { useServices } from '../services.ts';

/** Held while the dial stands so near to them. */
const NEAR = [1, -1, 2, -2];
/** Read one after the other when the page has come to rest, so that any number finds its posts; ms, and channels. */
const REST = 1500;
const MOST = 40;

/** Reads posts ahead, so that a flip shows them at once, offline too: the neighbours' now, the others' when nothing else happens. */
export function useReadAhead(rows: readonly LineupRow[], at: number): void {
  const { channels, site } = useServices();
  const beside = NEAR.map((by) => rows[(at + by + rows.length) % rows.length]?.channel.id);
  const near = at < 0 ? '' : [...new Set(beside)].join(' ');
  useEffect(() => {
    const releases = near
      .split(' ')
      .filter(Boolean)
      .map((id) => channels.latest(id).subscribe(() => {}));
    return () => {
      for (const release of releases) release();
    };
  }, [channels, near]);
  const all = rows
    .slice(0, MOST)
    .map((row) => row.channel.id)
    .join(' ');
  useEffect(() => {
    if (site.embedded || all === '' || savesData()) return;
    const stop = new AbortController();
    const timer = setTimeout(() => void readAll(channels, all.split(' '), stop.signal), REST);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [channels, site.embedded, all]);
}

async function readAll(channels: Channels, ids: readonly string[], stop: AbortSignal): Promise<void> {
  for (const id of ids) {
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
