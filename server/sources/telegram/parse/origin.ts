/** Forward and reply parser: the origin of a forwarded message, and the post that a message replies to. */
import type { MessageOrigin } from '@grammyjs/types';
import type { Forward, Reply } from '../../../../contract/post.ts';
import {
  countField,
  isRawObject,
  nonEmptyTextField,
  omitUndefined,
  type RawObject,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { displayNameOf, parseChatSummary } from './chat.ts';
import { truncateText, type UnparsedFields } from './entities.ts';

const MAX_SIGNATURE_LENGTH = 128;

const nameOrNull = (raw: unknown): string | null => (isRawObject(raw) ? displayNameOf(raw) || null : null);

const withSignature = (name: string | null, raw: RawObject): string | null => {
  const signature = nonEmptyTextField(raw, 'author_signature');
  return name !== null && signature !== undefined ? `${name} (${truncateText(signature, MAX_SIGNATURE_LENGTH)})` : name;
};

/** Parser of each kind of origin. A new kind is a type error until it is added here. */
const ORIGIN_PARSERS: Readonly<Record<MessageOrigin['type'], (raw: RawObject) => Partial<Forward>>> = {
  user: (raw) => ({ name: nameOrNull(raw.sender_user) }),
  hidden_user: (raw) => ({ name: nonEmptyTextField(raw, 'sender_user_name') ?? null }),
  chat: (raw) => ({
    name: withSignature(nameOrNull(raw.sender_chat), raw),
    ...omitUndefined<Partial<Forward>>({ channelId: parseChatSummary(raw.sender_chat)?.channelId }),
  }),
  channel: (raw) => ({
    name: withSignature(nameOrNull(raw.chat), raw),
    ...omitUndefined<Partial<Forward>>({
      channelId: parseChatSummary(raw.chat)?.channelId,
      messageId: countField(raw, 'message_id') || undefined,
    }),
  }),
};

const isKnown = (type: string): type is MessageOrigin['type'] => Object.hasOwn(ORIGIN_PARSERS, type);

/** Parses the origin of a forwarded message. A hidden source has no name. */
export const parseForward = (raw: unknown, unparsedFields: UnparsedFields): Forward | undefined => {
  if (!isRawObject(raw)) return undefined;
  const type = nonEmptyTextField(raw, 'type') ?? '';
  if (!isKnown(type)) unparsedFields.add('forward_origin');
  const date = secondsField(raw, 'date');
  return { name: null, ...(isKnown(type) ? ORIGIN_PARSERS[type](raw) : {}), ...(date === undefined ? {} : { date }) };
};

const MAX_EXCERPT_LENGTH = 120;

/**
 * Parses the post that a message replies to: in the same channel, or in another one. The excerpt contains only text
 * that the author quoted. The text of the other post comes from the store, because the post may be hidden there.
 */
export const parseReply = (raw: RawObject, channelId: string, unparsedFields: UnparsedFields): Reply | undefined => {
  const inSameChannel = raw.reply_to_message;
  const repliedTo = [inSameChannel, raw.external_reply].find(isRawObject);
  if (repliedTo === undefined) return undefined;
  const id = countField(repliedTo, 'message_id');
  const otherChannelId = isRawObject(repliedTo.chat) ? parseChatSummary(repliedTo.chat)?.channelId : undefined;
  if (!id || (otherChannelId === undefined && !isRawObject(inSameChannel))) {
    unparsedFields.add('reply');
    return undefined;
  }
  const quote = isRawObject(raw.quote) ? nonEmptyTextField(raw.quote, 'text') : undefined;
  const excerpt = quote === undefined ? undefined : truncateText(quote, MAX_EXCERPT_LENGTH);
  return omitUndefined<Reply>({ id, channelId: otherChannelId === channelId ? undefined : otherChannelId, excerpt });
};
