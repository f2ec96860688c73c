// More channels: loads further pages of the directory, and searches the server for channels by name.

import { MAX_LINEUP_ENTRIES } from '../../../contract/limits.ts';
import type { ChannelsRequest } from '../../api/channels-api.ts';
import type { DataContext } from '../context.ts';

const loading = new WeakMap<DataContext, Promise<void>>();

async function addPage({ api, connection, directory, userState }: DataContext, request: ChannelsRequest): Promise<string | null> {
  const page = await connection.request((options) => api.channels(request, options), false);
  userState.recordFirstSeen(page.items);
  directory.add(page.items);
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

/** Loads the further pages of the directory, until it has as many channels as a line-up may contain. */
export async function loadLineupChannels(context: DataContext): Promise<void> {
  const { directory } = context;
  while (typeof directory.next === 'string' && directory.channels().length < MAX_LINEUP_ENTRIES) await loadMoreChannels(context);
}

/** Adds the channels to the directory whose title or username contains a text. Adds none if all channels are loaded. */
export async function findChannels(context: DataContext, q: string): Promise<void> {
  if (context.directory.next !== null && q.trim() !== '') await addPage(context, { q: q.trim() });
}
