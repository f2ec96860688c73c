import type { GrammyError } from 'grammy';
import type { ChannelConnection } from '../../storage/ports/connections.ts';
import type { Store } from '../../storage/ports/store.ts';
import { type BotApi, isRefusal } from '../telegram/client.ts';
import { chatIdOf } from '../telegram/parse/chat.ts';

/** Posts that one recheck looks for, the newest of the channel, and how many are asked after in one go. */
export const RECHECKED = 200;
const AT_ONCE = 5;

/**
 * Whether a message is still in its channel; null where Telegram does not say.
 *
 * No method of the Bot API looks at a message. Of those that touch one, taking back the bot's own reaction changes nothing: it
 * has none and never sets one, and members are not told. (Forwarding or copying would put the post into somebody's chat,
 * editing a keyboard would take away the channel's own, deleting is deleting.) Its limits: of an album Telegram answers for the
 * first message that is left, so an album counts as there until all of it is gone; service messages and channels without
 * reactions may be refused for other reasons, which say nothing about the message.
 */
const isThere = async (chatId: number, messageId: number, { api }: BotApi): Promise<boolean | null> => {
  try {
    await api.setMessageReaction(chatId, messageId, []);
    return true;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return sayGone(error) ? false : null;
  }
};

/** Telegram's words for a message that is not there: its Bot API's own, and its servers'. */
const sayGone = ({ description }: GrammyError): boolean =>
  /message (to react |)not found|MESSAGE_ID_INVALID|MESSAGE_NOT_FOUND/i.test(description);

const EVERYTHING = { privateChannels: 'all' } as const;

/** The posts of a channel below a message id, the newest first. */
const postsBelow = async (store: Store, channelId: string, below: number, limit: number) => {
  const posts = await store.posts({ channelIds: [channelId], limit: RECHECKED }, EVERYTHING);
  return posts.filter((post) => post.id < below && !post.service).slice(0, limit);
};

/** Looks for the next few posts of a recheck, marks those that are gone, and notes how far it came. */
export const recheckSome = async (connection: ChannelConnection, bot: BotApi, store: Store, at: number): Promise<void> => {
  const { channelId, recheck } = connection;
  if (recheck === null) return;
  const posts = await postsBelow(store, channelId, recheck, AT_ONCE);
  for (const post of posts) {
    const there = await isThere(chatIdOf(channelId), post.id, bot);
    if (there !== null) await store.markGone(channelId, post.id, there ? null : (post.gone ?? at));
  }
  const last = posts.at(-1);
  await store.setRecheck(channelId, last === undefined ? null : last.id, at);
};
