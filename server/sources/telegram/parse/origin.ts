/** Forward and reply parser: the origin of a forwarded message, and the post that a message replies to. */
import type { MessageOrigin } from '@grammyjs/types';
import type { Forward, Reply } from '../../../../contract/post.ts';
import { countField, defined, filledField, isRaw, type Raw, secondsField } from '../../../lib/unknown-fields.ts';
import { nameOf, readChatTold } from './chat.ts';
import { cut, type Unread } from './entities.ts';

const named = (raw: unknown): string | null => (isRaw(raw) ? nameOf(raw) || null : null);

const signed = (name: string | null, raw: Raw): string | null => {
  const signature = filledField(raw, 'author_signature');
  return name !== null && signature !== undefined ? `${name} (${cut(signature, 128)})` : name;
};

/** Parser of each kind of origin. A new kind is a type error until it is added here. */
const ORIGINS: Readonly<Record<MessageOrigin['type'], (raw: Raw) => Partial<Forward>>> = {
  user: (raw) => ({ name: named(raw.sender_user) }),
  hidden_user: (raw) => ({ name: filledField(raw, 'sender_user_name') ?? null }),
  chat: (raw) => ({
    name: signed(named(raw.sender_chat), raw),
    ...defined<Partial<Forward>>({ channelId: readChatTold(raw.sender_chat)?.channelId }),
  }),
  channel: (raw) => ({
    name: signed(named(raw.chat), raw),
    ...defined<Partial<Forward>>({
      channelId: readChatTold(raw.chat)?.channelId,
      messageId: countField(raw, 'message_id') || undefined,
    }),
  }),
};

const isKnown = (type: string): type is MessageOrigin['type'] => Object.hasOwn(ORIGINS, type);

/** Parses the origin of a forwarded message. A hidden source has no name. */
export const readForward = (raw: unknown, unread: Unread): Forward | undefined => {
  if (!isRaw(raw)) return undefined;
  const type = filledField(raw, 'type') ?? '';
  if (!isKnown(type)) unread.add('forward_origin');
  const date = secondsField(raw, 'date');
  return { name: null, ...(isKnown(type) ? ORIGINS[type](raw) : {}), ...(date === undefined ? {} : { date }) };
};

const EXCERPT = 120;

/**
 * Parses the post that a message replies to: in the same channel, or in another one. The excerpt contains only text that the
 * author quoted. The text of the other post comes from the store, because the post may be hidden there.
 */
export const readReply = (raw: Raw, channelId: string, unread: Unread): Reply | undefined => {
  const [inside, outside] = [raw.reply_to_message, raw.external_reply];
  if (!isRaw(inside) && !isRaw(outside)) return undefined;
  const told = isRaw(inside) ? inside : isRaw(outside) ? outside : {};
  const id = countField(told, 'message_id');
  const of = isRaw(told.chat) ? readChatTold(told.chat)?.channelId : undefined;
  if (!id || (of === undefined && !isRaw(inside))) {
    unread.add('reply');
    return undefined;
  }
  const quote = isRaw(raw.quote) ? filledField(raw.quote, 'text') : undefined;
  const excerpt = quote === undefined ? undefined : cut(quote, EXCERPT);
  return defined<Reply>({ id, channelId: of === channelId ? undefined : of, excerpt });
};
