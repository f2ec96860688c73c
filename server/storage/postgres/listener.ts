// Notification listener: a connection of its own that is opened again whenever it is lost.

import { setTimeout as wait } from 'node:timers/promises';
import type { ClientFactory, PoolMember } from './client.ts';

/** Pause before an attempt to connect again. Short, so that notifications arrive soon after the database is back. */
const RETRY_PAUSE_MS = 1000;
const FIRST_RETRY_PAUSE_MS = 30;

/** Opens a connection whose host is suitable. */
const openClient = ({ Client, verify, connect }: ClientFactory): Promise<PoolMember> =>
  connect(async () => {
    const client = new Client();
    await client.connect();
    await new Promise<void>((resolve, reject) => verify(client, (error) => (error ? reject(error) : resolve()))).catch(
      (error: unknown) => {
        void client.end();
        throw error;
      },
    );
    return client;
  });

/**
 * Receives the notifications of a channel until it is stopped. Calls `onListening` whenever a connection was opened.
 * Errors have no recipient: it connects again.
 */
export const startListener = (
  clients: ClientFactory,
  channel: string,
  receive: (payload: string) => void,
  onListening: () => void,
): { stop(): void } => {
  let isStopped = false;
  let client: PoolMember | null = null;
  const stopping = new AbortController();

  /** Listens until the connection is lost. */
  const listenOnce = async (onSuccess: () => void): Promise<void> => {
    const opened = await openClient(clients);
    client = opened;
    const lost = new Promise<void>((resolve) => opened.once('end', resolve).once('error', () => resolve()));
    try {
      if (isStopped) return;
      opened.on('notification', ({ payload = '' }) => receive(payload));
      await opened.query(`LISTEN ${channel}`);
      onSuccess();
      await lost;
    } finally {
      client = null;
      void opened.end();
    }
  };

  const run = async (): Promise<void> => {
    let pauseMs = FIRST_RETRY_PAUSE_MS;
    while (!isStopped) {
      await listenOnce(() => {
        pauseMs = FIRST_RETRY_PAUSE_MS;
        onListening();
      }).catch(() => {});
      await wait(pauseMs, null, { ref: false, signal: stopping.signal }).catch(() => {});
      pauseMs = Math.min(pauseMs * 3, RETRY_PAUSE_MS);
    }
  };
  void run();
  return {
    stop() {
      isStopped = true;
      stopping.abort();
      void client?.end();
    },
  };
};
