/** Operator overview: state of channels, connections, feeds, files and storage. */

import type { Reader } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type {
  BadUpdates,
  BotConnection,
  BotHealth,
  FileCounts,
  OperatorChannel,
  OperatorOverview,
} from '../../contract/operator.ts';
import { type SerializeDeps, serializeChannels } from '../channels/serialize.ts';
import type { Config } from '../config.ts';
import { FULL_ACCESS } from '../domain/model.ts';
import { parseFeedFailure, parseFileFailure } from '../lib/failure-codes.ts';
import type { MediaStore } from '../media/media-store.ts';
import { readMediaStatus } from '../media/quota.ts';
import type { Bot } from '../sources/telegram/bot.ts';
import { NEEDED_RIGHTS } from '../sources/telegram/connect.ts';
import type { ChannelConnection } from '../storage/ports/connections.ts';
import type { SourceFeed } from '../storage/ports/feeds.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type OverviewDeps = SerializeDeps & {
  readonly config: Config;
  readonly store: Store;
  readonly mediaStore: MediaStore;
  readonly bot: Bot | null;
  readonly administeredChannels: (readerId: string) => Promise<readonly string[]>;
};

const MAX_BAD_UPDATES = 5;
const MAX_REASON_LENGTH = 300;

/** A channel and its connection, if there is one. */
interface OperatedChannelView {
  readonly channel: Channel;
  readonly connection: ChannelConnection | null;
}

/** Creates a channel that readers do not see, from its connection: it waits for approval, or is being removed. */
const createPlaceholderChannel = ({ channelId, title, username, status }: ChannelConnection, isExternal: boolean): Channel => ({
  id: channelId,
  title,
  ...(username !== null && { username }),
  source: 'bot',
  state: status === 'leaving' ? 'archived' : 'paused',
  private: username === null,
  demo: false,
  ...(isExternal && { elsewhere: true }),
});

/**
 * Returns the channels that a reader may manage: all of them for an operator of the site, including reader-added ones;
 * else those that the reader administers in Telegram.
 */
export async function listOperatedChannels(
  reader: Reader,
  { store, administeredChannels }: OverviewDeps,
): Promise<OperatedChannelView[]> {
  const externalIds = await store.externalChannelIds();
  const [channels, connections] = await Promise.all([store.channels(FULL_ACCESS, externalIds), store.connections()]);
  const connectionOf = new Map(connections.map((connection) => [connection.channelId, connection]));
  const channelIds = new Set(channels.map(({ id }) => id));
  const all: OperatedChannelView[] = [
    ...channels.map((channel) => ({ channel, connection: connectionOf.get(channel.id) ?? null })),
    ...connections
      .filter(({ channelId }) => !channelIds.has(channelId))
      .map((connection) => ({
        channel: createPlaceholderChannel(connection, externalIds.includes(connection.channelId)),
        connection,
      })),
  ];
  if (reader.operator) return all;
  const administered = new Set(await administeredChannels(reader.id));
  return all.filter(({ channel, connection }) => administered.has(channel.id) && connection?.status !== 'asking');
}

const STATUS_REASONS: Readonly<Partial<Record<ChannelConnection['status'], string>>> = {
  lost: 'The bot is no longer an administrator of the channel, so Telegram sends it no posts. Make it an administrator again.',
  asking: 'The user who added the bot is not an operator of this site: accept or decline the channel.',
};

async function serializeConnection(connection: ChannelConnection, { store }: OverviewDeps): Promise<BotConnection> {
  const { status, rights, since, by, lastUpdateAt, checkedAt, due } = connection;
  const name = by === null ? undefined : (await store.reader(by))?.name;
  const reason = status === 'left' ? undefined : STATUS_REASONS[status];
  return {
    status: status === 'left' ? 'lost' : status,
    rights: [...(rights ?? [])],
    missingRights: NEEDED_RIGHTS.filter((right) => !rights?.includes(right)),
    since,
    ...(reason !== undefined && { reason }),
    ...(by !== null && { connectedBy: { id: by, ...(name !== undefined && { name }) } }),
    ...(lastUpdateAt !== null && { lastUpdate: lastUpdateAt }),
    ...(checkedAt !== null && { checkedAt }),
    ...(due !== null && { undoUntil: due }),
  };
}

/**
 * Builds a channel's entry. The URL of a reader-added feed may contain the reader's key, so only its origin is shown.
 */
async function serializeChannelView(
  { channel, connection }: OperatedChannelView,
  storage: number,
  deps: OverviewDeps,
): Promise<OperatorChannel> {
  const { store } = deps;
  const [{ messages, hidden, missing, parked }, feed, files] = await Promise.all([
    store.channelCounts(channel.id),
    store.feed(channel.id),
    store.fileCounts(channel.id),
  ]);
  return {
    channel: serializeChannels([channel], deps)[0] ?? channel,
    ...(connection && { connection: await serializeConnection(connection, deps) }),
    ...(feed && { feed: serializeFeed(channel.elsewhere ? { ...feed, url: new URL(feed.url).origin } : feed) }),
    messages,
    hidden,
    missing,
    storage,
    files: serializeFileCounts(files),
    ...(connection && { parked }),
  };
}

const serializeFeed = ({ url, checkedAt, due, failures, error }: SourceFeed) => ({
  url,
  ...(checkedAt !== null && { checkedAt }),
  ...(due !== null && { due }),
  failures,
  ...(error !== null && serializeFeedFailure(error)),
});

const serializeFeedFailure = (stored: string) => {
  const { sentence, ...failure } = parseFeedFailure(stored);
  return { error: sentence, ...failure };
};

/** Merges equal failure sentences: one may be stored with its code, and by an earlier version without. */
function serializeFileCounts({ reasons, ...counts }: FileCounts): FileCounts {
  if (reasons === undefined) return counts;
  const failures = new Map<string, NonNullable<FileCounts['failures']>[number]>();
  for (const [stored, count] of Object.entries(reasons)) {
    const { sentence: reason, ...failure } = parseFileFailure(stored);
    failures.set(reason, { ...failure, reason, count: count + (failures.get(reason)?.count ?? 0) });
  }
  const all = [...failures.values()];
  return { ...counts, reasons: Object.fromEntries(all.map(({ reason, count }) => [reason, count])), failures: all };
}

/**
 * Returns the reasons of the newest bad updates. The reason of an internal error is its first line, without the stack.
 */
async function loadBadUpdates({ store }: OverviewDeps): Promise<BadUpdates | undefined> {
  const { count, newest } = await store.newestBadUpdates(MAX_BAD_UPDATES);
  if (count === 0) return undefined;
  return {
    count,
    newest: newest.map(({ updateId, reason }) => {
      const firstLine = reason.split('\n')[0] ?? '';
      return { updateId, reason: firstLine.slice(0, MAX_REASON_LENGTH) };
    }),
  };
}

/**
 * Builds the operators' overview. Figures of the whole site are only for the site's operators. The response contains
 * either the reader-added channels or all others.
 */
export async function buildOperatorOverview(reader: Reader, external: boolean, deps: OverviewDeps): Promise<OperatorOverview> {
  const { store, mediaStore, config, bot } = deps;
  const [all, storageByChannel, badUpdates] = await Promise.all([
    listOperatedChannels(reader, deps),
    store.storageByChannel(),
    reader.operator ? loadBadUpdates(deps) : undefined,
  ]);
  const views = all.filter(({ channel }) => (channel.elsewhere ?? false) === external);
  const usedBytes = new Map(storageByChannel.map((row) => [row.channelId, row.bytes]));
  const channels = await Promise.all(views.map((view) => serializeChannelView(view, usedBytes.get(view.channel.id) ?? 0, deps)));
  const { storage, queue, paused, pausedCode } = reader.operator
    ? await readMediaStatus({ store, mediaStore, quota: config.mediaQuota })
    : { storage: { used: 0, quota: 0 }, queue: { waiting: 0, failed: 0 }, paused: null, pausedCode: null };
  return {
    channels,
    bot: botHealthFor(reader, bot),
    mayConnect: mayConnectChannels(reader, config),
    storage,
    queue: serializeFileCounts(queue),
    ...(paused !== null && pausedCode !== null && { paused, pausedCode }),
    ...(badUpdates && { badUpdates }),
  };
}

/** Returns whether a reader may begin to connect a channel: operators may, and others if CONNECT allows it. */
export const mayConnectChannels = (reader: Reader, { connectPolicy }: Config): boolean =>
  reader.operator || connectPolicy === 'administrators';

/**
 * Returns the bot's health. The error detail, which may contain the URL of the Bot API, is only for the site's
 * operators.
 */
function botHealthFor(reader: Reader, bot: Bot | null): BotHealth {
  const { detail, ...health }: BotHealth = bot?.health() ?? { type: 'absent' };
  return reader.operator && detail !== undefined ? { ...health, detail } : health;
}
