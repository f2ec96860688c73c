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
import { type ChannelConnection, type ChannelCounts, NO_CHANNEL_COUNTS } from '../storage/ports/connections.ts';
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

const NO_FILES: FileCounts = { waiting: 0, failed: 0 };

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

/** Stored figures of channels, each by channel id. */
interface ChannelFigures {
  readonly counts: ReadonlyMap<string, ChannelCounts>;
  readonly feeds: ReadonlyMap<string, SourceFeed>;
  readonly files: ReadonlyMap<string, FileCounts>;
  readonly usedBytes: ReadonlyMap<string, number>;
}

/** Reads the figures of all these channels. The number of store calls does not depend on the number of channels. */
async function loadChannelFigures(views: readonly OperatedChannelView[], { store }: OverviewDeps): Promise<ChannelFigures> {
  const channelIds = views.map(({ channel }) => channel.id);
  const [counts, feeds, files, storage] = await Promise.all([
    store.channelCounts(channelIds),
    store.feedsByChannel(channelIds),
    store.fileCountsByChannel(channelIds),
    store.storageByChannel(),
  ]);
  return { counts, feeds, files, usedBytes: new Map(storage.map(({ channelId, bytes }) => [channelId, bytes])) };
}

/**
 * Builds a channel's entry. The URL of a reader-added feed may contain the reader's key, so only its origin is shown.
 */
async function serializeChannelView(
  { channel, connection }: OperatedChannelView,
  figures: ChannelFigures,
  deps: OverviewDeps,
): Promise<OperatorChannel> {
  const { messages, hidden, missing, parked } = figures.counts.get(channel.id) ?? NO_CHANNEL_COUNTS;
  const feed = figures.feeds.get(channel.id);
  return {
    channel: serializeChannels([channel], deps)[0] ?? channel,
    ...(connection && { connection: await serializeConnection(connection, deps) }),
    ...(feed && { feed: serializeFeed(channel.elsewhere ? { ...feed, url: new URL(feed.url).origin } : feed) }),
    messages,
    hidden,
    missing,
    storage: figures.usedBytes.get(channel.id) ?? 0,
    files: serializeFileCounts(figures.files.get(channel.id) ?? NO_FILES),
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
  const [all, badUpdates] = await Promise.all([
    listOperatedChannels(reader, deps),
    reader.operator ? loadBadUpdates(deps) : undefined,
  ]);
  const views = all.filter(({ channel }) => (channel.elsewhere ?? false) === external);
  const figures = await loadChannelFigures(views, deps);
  const channels = await Promise.all(views.map((view) => serializeChannelView(view, figures, deps)));
  const { storage, queue, paused, pausedCode } = reader.operator
    ? await readMediaStatus({ store, mediaStore, quota: config.mediaQuota })
    : { storage: { used: 0, quota: 0 }, queue: NO_FILES, paused: null, pausedCode: null };
  return {
    channels,
    bot: botHealthFor(reader, bot),
    mayConnect: mayConnectChannels(reader, config),
    storage,
    queue: serializeFileCounts(queue),
    ...(paused !== null && pausedCode !== null && { paused, pausedCode }),
    ...(badUpdates && { badUpdates }),
    ...(reader.operator &&
      config.notifications && { notifications: await store.notificationCounts(Math.floor(deps.now() / 1000)) }),
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
