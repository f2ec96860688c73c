// More channels: loads further pages of the directory, and searches the server for channels by name.

import type { ChannelsRequest } from '../../api/channels-api.ts';
import type { DataContext } from '../context.ts';

const loading = new WeakMap<DataContext, Promise<void>>();

async function addPage({ api, connection, directory }: DataContext, request: ChannelsRequest): Promise<string | null> {
  const page = await connection.request((options) => api.channels(request, options), false);
  if (!connection.isClosed()) directory.add(page.items);
  return page.next;
}

async function addNextPage(context: DataContext): Promise<void> {
  const { next } = context.directory;
  if (typeof next === 'string') context.directory.next = await addPage(context, { after: next });
}

/** Adds the next page of the operator's channels to the directory. Concurrent calls load one page. */
export function loadMoreChannels(context: DataContext): Promise<void> {
  const current = loading.get(context) ?? addNextPage(context).finally(() => loading.delete(context));
  loading.set(context, current);
  return current;
}

/** Adds the channels to the directory whose title or username contains a text. Adds none if all channels are loaded. */
export async function findChannels(context: DataContext, q: string): Promise<void> {
  if (context.directory.next !== null && q.trim() !== '') await addPage(context, { q: q.trim() });
}
