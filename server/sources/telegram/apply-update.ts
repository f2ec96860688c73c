/** Telegram updates: applies the updates of the Bot API to the store. */

import { omitDerivedFields } from '../../domain/channel-details.ts';
import { FULL_ACCESS } from '../../domain/model.ts';
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
class BadUpdate extends Error {
  override readonly name = 'BadUpdate';
}

/** Dependencies of applying an update. */
export interface UpdateDeps {
  readonly store: Store;
  /** Maximum size of a file in bytes. Larger files are not fetched. */
  readonly maxBytes: number;
  readonly operatorIds: ReadonlySet<string>;
  /** Milliseconds. */
  readonly now: () => number;
  /**
   * Called when there is work that requires a request to Telegram: a channel was marked stale, or waits for a decision.
   */
  readonly triggerTasks: () => void;
  /** Called for a channel that this update connected. */
  readonly onConnected: (connection: ChannelConnection) => Promise<void>;
  /** Called when a user picked a channel for the bot. `at` is unix seconds. */
  readonly onChannelPicked: (shared: ChatShared, at: number, updateId: number) => void;
  /** Called when a user sent the command /start to the bot. */
  readonly onStartCommand: (userId: number) => void;
}

/** Returns the `update_id` of an update, or null if the value is not an update. */
export const updateIdOf = (raw: unknown): number | null =>
  isRawObject(raw) && typeof raw.update_id === 'number' && Number.isSafeInteger(raw.update_id) ? raw.update_id : null;

const isParseFailure = (result: object): result is ParseFailure => 'type' in result && result.type === 'bad';

const assertParsed = <Result extends object>(result: Result): Exclude<Result, ParseFailure> => {
  if (isParseFailure(result)) throw new BadUpdate(result.reason);
  // The cast is safe: a parse failure was thrown by the line above.
  return result as Exclude<Result, ParseFailure>;
};

/** Returns whether the chat is a channel. Groups, and private chats of users with the bot, belong to no channel. */
const isOfChannel = (raw: unknown): boolean => isRawObject(raw) && isRawObject(raw.chat) && raw.chat.type === 'channel';

/**
 * Maximum seconds that Telegram's clock may be behind ours. A pin is dated later by this much, so that a getChat
 * response from before the pin does not remove it. A getChat response within this time after the pin therefore does not
 * change it either.
 */
const MAX_CLOCK_DIFFERENCE_SECONDS = 30;
/** Maximum number of attempts to apply an update that fails with an unexpected error. */
const MAX_APPLY_ATTEMPTS = 3;
/** Delay after the first failed attempt, in milliseconds. It increases by the same amount with each attempt. */
const APPLY_RETRY_PAUSE_MS = 100;
/**
 * Precision of the stored time of a channel's last update, in seconds: a durable write costs more than the update
 * itself.
 */
const LAST_UPDATE_PRECISION_SECONDS = 10;

/**
 * Compares a channel's title and username, which every post contains, with the stored ones. If they differ, the
 * channel's details are fetched again. If the username was removed, the channel becomes private immediately: until
 * Telegram confirms the change, only members may read it. `at` is the time of the post in unix seconds.
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

/**
 * Stores a post of a channel. Of a service message that is not shown, only the id is stored, so that it does not count
 * as missing. After a service message, the channel's details are fetched again.
 */
const applyPost = async (raw: unknown, updateId: number, deps: UpdateDeps): Promise<void> => {
  const parsed = assertParsed(parseChannelPost(raw, { updateId, maxBytes: deps.maxBytes }));
  const { store, triggerTasks } = deps;
  const { channelId } = parsed.chat;
  const isPost = parsed.type === 'post';
  await detectChatChange(parsed.chat, isPost ? parsed.message.modifiedAt : parsed.date, deps);
  if (isPost) await store.putMessages([parsed.message]);
  else await store.markRangeKnown(channelId, parsed.id, parsed.id);
  const service = isPost ? parsed.message.post.service : undefined;
  if (isPost && service === undefined) return;
  if (isPost && service?.messageId !== undefined)
    await store.addPins(channelId, [{ messageId: service.messageId, at: timeOfPin(parsed.message.post.date, deps) }]);
  await store.markDetailsStale(channelId);
  triggerTasks();
};

const applyReactions = async (raw: unknown, updateId: number, { store }: UpdateDeps): Promise<void> => {
  const { channelId, messageId, at, reactions } = assertParsed(parseReactions(raw));
  await store.putReactions(channelId, messageId, reactions, { at, sequence: updateId });
};

const CHANNEL_UPDATE_HANDLERS: Readonly<Record<string, (raw: unknown, updateId: number, deps: UpdateDeps) => Promise<void>>> = {
  channel_post: applyPost,
  edited_channel_post: applyPost,
  message_reaction_count: applyReactions,
};

/** Applies an update of a channel, or parks it until the channel is connected. */
const applyToChannel = async (updateType: string, update: RawObject, updateId: number, deps: UpdateDeps): Promise<void> => {
  const chat = isRawObject(update[updateType]) ? parseChatSummary(update[updateType].chat) : null;
  if (chat === null) throw new BadUpdate('its chat is not a channel');
  const { store, now } = deps;
  const at = Math.floor(now() / 1000);
  const connection = await store.connection(chat.channelId);
  const isFollowed = connection?.status === 'connected' || connection?.status === 'lost';
  const parked = { channelId: chat.channelId, updateId, body: JSON.stringify(update) };
  if (!isFollowed && (await store.parkUpdate(parked, at))) return;
  await CHANNEL_UPDATE_HANDLERS[updateType]?.(update[updateType], updateId, deps);
  if (at - (connection?.lastUpdateAt ?? 0) >= LAST_UPDATE_PRECISION_SECONDS) await store.recordUpdateReceived(chat.channelId, at);
};

const applyMembership = async (raw: unknown, updateId: number, deps: UpdateDeps): Promise<void> => {
  const { chat, actor, at, after: member } = assertParsed(parseMembershipChange(raw));
  const { store, operatorIds, triggerTasks, onConnected } = deps;
  const nowSeconds = Math.floor(deps.now() / 1000);
  const membership = {
    channelId: chat.channelId,
    title: chat.title ?? chat.channelId,
    username: chat.username ?? null,
    at,
    sequence: updateId,
    by: actor.id,
    rights: member.isAdministrator ? [...member.rights] : null,
  };
  const connection = await store.recordMembership(membership, operatorIds.has(actor.id), nowSeconds);
  if (connection.isNewlyConnected) await onConnected(connection);
  else if (connection.status === 'connected' || connection.status === 'lost') await replayParkedUpdates(chat.channelId, deps);
  triggerTasks();
};

/** Handles a private message to the bot: a channel that the user picked, or the commands /start and /stop. */
const applyMessage = async (raw: RawObject, updateId: number, deps: UpdateDeps): Promise<void> => {
  const { onChannelPicked, onStartCommand, store } = deps;
  const shared = parseChatShared(raw);
  if (shared !== null) onChannelPicked(assertParsed(shared), typeof raw.date === 'number' ? raw.date : 0, updateId);
  const [, command] = (typeof raw.text === 'string' && /^\/(start|stop)\b/.exec(raw.text)) || [];
  if (command === undefined || !isRawObject(raw.from) || typeof raw.from.id !== 'number') return;
  if (command === 'start') onStartCommand(raw.from.id);
  else await store.setBotAccess(String(raw.from.id), false);
};

/** Ends the notifications of a user who blocked the bot. */
const applyPrivateMembership = async (raw: unknown, { store }: UpdateDeps): Promise<void> => {
  if (!isRawObject(raw) || !isRawObject(raw.chat) || raw.chat.type !== 'private') return;
  const isBlocked = isRawObject(raw.new_chat_member) && raw.new_chat_member.status === 'kicked';
  if (isBlocked && typeof raw.chat.id === 'number') await store.setBotAccess(String(raw.chat.id), false);
};

/**
 * Applies an update. The changes are durable when the promise resolves. Applying is idempotent and independent of the
 * order of updates. Throws BadUpdate if the update cannot be parsed.
 */
const applyUpdate = async (raw: unknown, deps: UpdateDeps): Promise<void> => {
  const updateId = updateIdOf(raw);
  if (updateId === null || !isRawObject(raw)) throw new BadUpdate('it has no update_id');
  const updateType = ALLOWED_UPDATES.find((type) => raw[type] !== undefined);
  if (updateType === undefined) throw new BadUpdate('it is of a type that was not requested');
  if (Object.hasOwn(CHANNEL_UPDATE_HANDLERS, updateType))
    return isOfChannel(raw[updateType]) ? applyToChannel(updateType, raw, updateId, deps) : undefined;
  if (updateType === 'poll') {
    const { pollId, poll } = assertParsed(parsePollUpdate(raw.poll));
    // The update contains no time: the ids of updates order the states of a poll.
    return deps.store.putPoll(pollId, poll, { at: 0, sequence: updateId });
  }
  if (updateType === 'message') return isRawObject(raw.message) ? applyMessage(raw.message, updateId, deps) : undefined;
  if (updateType === 'my_chat_member' && !isOfChannel(raw[updateType])) return applyPrivateMembership(raw[updateType], deps);
  if (!isOfChannel(raw[updateType])) return;
  if (updateType === 'my_chat_member') return applyMembership(raw[updateType], updateId, deps);
  const { chat, after: member } = assertParsed(parseMembershipChange(raw[updateType]));
  await deps.store.deleteMember(chat.channelId, member.user.id);
};

/**
 * Applies an update, or stores it with its error, so that one bad update never blocks the others. Throws if the disk or
 * the database fails, so that Telegram sends the update again: readers never see an update that is only stored as bad.
 */
export const handleUpdate = async (raw: unknown, deps: UpdateDeps): Promise<void> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyUpdate(raw, deps);
    } catch (error) {
      const isBad = error instanceof BadUpdate;
      if (!isBad && error instanceof Error && classifyFailure(error) !== null) throw error;
      if (!isBad && attempt < MAX_APPLY_ATTEMPTS) {
        await new Promise((resolve) => setTimeout(resolve, attempt * APPLY_RETRY_PAUSE_MS));
        continue;
      }
      const reason = isBad ? error.message : String(error instanceof Error ? error.stack : error);
      const badUpdate = { updateId: updateIdOf(raw) ?? 0, body: JSON.stringify(redactUpdate(raw)), reason };
      return deps.store.saveBadUpdate(badUpdate, Math.floor(deps.now() / 1000));
    }
  }
};

/**
 * Retries the updates that could not be parsed or applied, because this version of the program may handle them. Those
 * that still fail stay stored.
 */
export const retryBadUpdates = async (deps: UpdateDeps): Promise<void> => {
  const { store } = deps;
  for (const { updateId, body } of await store.badUpdates())
    await applyUpdate(JSON.parse(body), deps).then(
      () => store.deleteBadUpdate(updateId),
      () => {},
    );
};

/** Applies the parked updates of a channel. */
export const replayParkedUpdates = async (channelId: string, deps: UpdateDeps): Promise<void> => {
  for (const { updateId, body } of await deps.store.parkedUpdates(channelId)) {
    await handleUpdate(JSON.parse(body), deps);
    await deps.store.deleteParkedUpdate(updateId);
  }
};
