/** Telegram updates: applies the updates of the Bot API to the store. */
import { omitDerivedFields } from '../../domain/channel-details.ts';
import { classifyFailure } from '../../lib/infrastructure-errors.ts';
import { isRawObject, type RawObject } from '../../lib/unknown-fields.ts';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type ChatSummary, type ParseFailure, parseChatSummary } from './parse/chat.ts';
import { type ChatShared, parseChatShared, parseMembershipChange } from './parse/member.ts';
import { parseChannelPost } from './parse/message.ts';
import { parsePollUpdate, parseReactions } from './parse/reactions-and-polls.ts';
import { redactUpdate } from './redact.ts';

/** All update types that this program uses. Telegram sends only the types listed here. */
export const ALLOWED_UPDATES = [
  'channel_post',
  'edited_channel_post',
  'message_reaction_count',
  'my_chat_member',
  'chat_member',
  'poll',
  'message',
] as const;

/** Error of an update that cannot be parsed: a retry would have the same result. */
export class BadUpdate extends Error {
  override readonly name = 'BadUpdate';
}

/** Dependencies of applying an update. */
export interface UpdateDeps {
  readonly store: Store;
  /** Larger files are not fetched. */
  readonly maxBytes: number;
  readonly operatorIds: ReadonlySet<string>;
  /** Milliseconds. */
  readonly now: () => number;
  /** Called when there is work that requires a request to Telegram: a channel was marked stale, or waits for a decision. */
  readonly triggerTasks: () => void;
  /** Called for a channel that this update connected. */
  readonly onConnected: (connection: ChannelConnection) => Promise<void>;
  readonly onShared: (shared: ChatShared, at: number, turn: number) => void;
  readonly onStart: (userId: number) => void;
}

/** Returns the `update_id` of an update, or null if the value is not an update. */
export const updateIdOf = (raw: unknown): number | null =>
  isRawObject(raw) && typeof raw.update_id === 'number' && Number.isSafeInteger(raw.update_id) ? raw.update_id : null;

const isParseFailure = (told: object): told is ParseFailure => 'type' in told && told.type === 'bad';

const assertParsed = <Told extends object>(told: Told): Exclude<Told, ParseFailure> => {
  if (isParseFailure(told)) throw new BadUpdate(told.reason);
  // The cast is sound: a Bad was thrown just before.
  return told as Exclude<Told, ParseFailure>;
};

/** Returns whether the chat is a channel. Groups, and private chats of users with the bot, belong to no channel. */
const isOfChannel = (raw: unknown): boolean => isRawObject(raw) && isRawObject(raw.chat) && raw.chat.type === 'channel';

/**
 * Telegram's clock may be this many seconds behind ours, so a getChat response within this time after a pin does not decide about
 * it.
 */
const MAX_CLOCK_DIFFERENCE_SECONDS = 30;
const FULL_ACCESS = { privateChannels: 'all' } as const;
/** Precision of the stored time of a channel's last update, in seconds: a durable write costs more than the update itself. */
const LAST_UPDATE_PRECISION_SECONDS = 10;

/**
 * Compares a channel's title and username, which every post contains, with the stored ones. If they differ, the channel's details
 * are fetched again. If the username was removed, the channel becomes private immediately: until Telegram confirms the change,
 * only members may read it.
 */
const detectChatChange = async (chat: ChatSummary, at: number, { store, triggerTasks }: UpdateDeps): Promise<void> => {
  const [channel, connection] = await Promise.all([store.channel(chat.channelId, FULL_ACCESS), store.connection(chat.channelId)]);
  if (!channel || at < (connection?.detailsReadAt ?? 0)) return;
  if ((chat.title ?? channel.title) === channel.title && chat.username === channel.username) return;
  if (chat.username === undefined && !channel.private) await store.putChannel({ ...omitDerivedFields(channel), private: true });
  await store.markDetailsStale(chat.channelId);
  triggerTasks();
};

/** Returns the time of a pin that Telegram reported with `date` (unix seconds), not later than now. */
const timeOfPin = (date: number, { now }: UpdateDeps): number =>
  Math.min(date + MAX_CLOCK_DIFFERENCE_SECONDS, Math.floor(now() / 1000));

const applyPost = async (raw: unknown, turn: number, applying: UpdateDeps): Promise<void> => {
  const reading = assertParsed(parseChannelPost(raw, { turn, maxBytes: applying.maxBytes }));
  const { store, triggerTasks } = applying;
  const { channelId } = reading.chat;
  const isPost = reading.type === 'post';
  await detectChatChange(reading.chat, isPost ? reading.message.seen : reading.date, applying);
  if (isPost) await store.putMessages([reading.message]);
  else await store.markRangeKnown(channelId, reading.id, reading.id);
  const service = isPost ? reading.message.post.service : undefined;
  if (isPost && service === undefined) return;
  if (isPost && service?.messageId !== undefined)
    await store.addPins(channelId, [{ messageId: service.messageId, at: timeOfPin(reading.message.post.date, applying) }]);
  await store.markDetailsStale(channelId);
  triggerTasks();
};

const applyReactions = async (raw: unknown, turn: number, { store }: UpdateDeps): Promise<void> => {
  const { channelId, messageId, at, reactions } = assertParsed(parseReactions(raw));
  await store.putReactions(channelId, messageId, reactions, { at, sequence: turn });
};

const CHANNEL_UPDATE_HANDLERS: Readonly<Record<string, (raw: unknown, turn: number, applying: UpdateDeps) => Promise<void>>> = {
  channel_post: applyPost,
  edited_channel_post: applyPost,
  message_reaction_count: applyReactions,
};

/** Applies an update of a channel, or parks it until the channel is connected. */
const applyToChannel = async (name: string, update: RawObject, turn: number, applying: UpdateDeps): Promise<void> => {
  const chat = isRawObject(update[name]) ? parseChatSummary(update[name].chat) : null;
  if (chat === null) throw new BadUpdate('its chat is no channel');
  const { store, now } = applying;
  const at = Math.floor(now() / 1000);
  const connection = await store.connection(chat.channelId);
  const isFollowed = connection?.status === 'connected' || connection?.status === 'lost';
  const parked = { channelId: chat.channelId, updateId: turn, body: JSON.stringify(update) };
  if (!isFollowed && (await store.parkUpdate(parked, at))) return;
  await CHANNEL_UPDATE_HANDLERS[name]?.(update[name], turn, applying);
  if (at - (connection?.lastUpdateAt ?? 0) >= LAST_UPDATE_PRECISION_SECONDS) await store.recordUpdateReceived(chat.channelId, at);
};

const applyMembership = async (raw: unknown, turn: number, applying: UpdateDeps): Promise<void> => {
  const { chat, from, at, now } = assertParsed(parseMembershipChange(raw));
  const { store, operatorIds, triggerTasks, onConnected } = applying;
  const seconds = Math.floor(applying.now() / 1000);
  const standing = {
    channelId: chat.channelId,
    title: chat.title ?? chat.channelId,
    username: chat.username ?? null,
    at,
    turn,
    by: from.id,
    rights: now.isAdministrator ? [...now.rights] : null,
  };
  const after = await store.recordMembership(standing, operatorIds.has(from.id), seconds);
  if (after.isNewlyConnected) await onConnected(after);
  else if (after.status === 'connected' || after.status === 'lost') await replayParkedUpdates(chat.channelId, applying);
  triggerTasks();
};

const applyMessage = (raw: RawObject, turn: number, { onShared, onStart }: UpdateDeps): void => {
  const shared = parseChatShared(raw);
  if (shared !== null) onShared(assertParsed(shared), typeof raw.date === 'number' ? raw.date : 0, turn);
  const isStart = typeof raw.text === 'string' && /^\/start\b/.test(raw.text);
  if (isStart && isRawObject(raw.from) && typeof raw.from.id === 'number') onStart(raw.from.id);
};

/**
 * Applies an update. The changes are durable when the promise resolves. Applying is idempotent and independent of the order of
 * updates. Throws BadUpdate if the update cannot be parsed.
 */
export const applyUpdate = async (raw: unknown, applying: UpdateDeps): Promise<void> => {
  const turn = updateIdOf(raw);
  if (turn === null || !isRawObject(raw)) throw new BadUpdate('it has no update_id');
  const name = ALLOWED_UPDATES.find((each) => raw[each] !== undefined);
  if (name === undefined) throw new BadUpdate('it is of a kind that was not asked for');
  if (Object.hasOwn(CHANNEL_UPDATE_HANDLERS, name))
    return isOfChannel(raw[name]) ? applyToChannel(name, raw, turn, applying) : undefined;
  if (name === 'poll') {
    const { pollId, poll } = assertParsed(parsePollUpdate(raw.poll));
    return applying.store.putPoll(pollId, poll, { at: 0, sequence: turn });
  }
  if (name === 'message') return isRawObject(raw.message) ? applyMessage(raw.message, turn, applying) : undefined;
  if (!isOfChannel(raw[name])) return;
  if (name === 'my_chat_member') return applyMembership(raw[name], turn, applying);
  const { chat, now } = assertParsed(parseMembershipChange(raw[name]));
  await applying.store.deleteMember(chat.channelId, now.user.id);
};

/**
 * Applies an update, or stores it with its error, so that one bad update never blocks the others. Throws if the disk or the
 * database fails, so that Telegram sends the update again: readers never see an update that is only stored as bad.
 */
export const handleUpdate = async (raw: unknown, applying: UpdateDeps): Promise<void> => {
  for (let tried = 1; ; tried += 1) {
    try {
      return await applyUpdate(raw, applying);
    } catch (error) {
      const isBad = error instanceof BadUpdate;
      if (!isBad && error instanceof Error && classifyFailure(error) !== null) throw error;
      if (!isBad && tried < 3) {
        await new Promise((next) => setTimeout(next, tried * 100));
        continue;
      }
      const reason = isBad ? error.message : String(error instanceof Error ? error.stack : error);
      const bad = { updateId: updateIdOf(raw) ?? 0, body: JSON.stringify(redactUpdate(raw)), reason };
      return applying.store.saveBadUpdate(bad, Math.floor(applying.now() / 1000));
    }
  }
};

/**
 * Retries the updates that could not be parsed or applied, because this version of the program may handle them. Those that still
 * fail stay stored.
 */
export const retryBadUpdates = async (applying: UpdateDeps): Promise<void> => {
  const { store } = applying;
  for (const { updateId, body } of await store.badUpdates())
    await applyUpdate(JSON.parse(body), applying).then(
      () => store.deleteBadUpdate(updateId),
      () => {},
    );
};

/** Applies the parked updates of a channel. */
export const replayParkedUpdates = async (channelId: string, applying: UpdateDeps): Promise<void> => {
  for (const { updateId, body } of await applying.store.parkedUpdates(channelId)) {
    await handleUpdate(JSON.parse(body), applying);
    await applying.store.deleteParkedUpdate(updateId);
  }
};
