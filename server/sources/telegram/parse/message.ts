/** Message parser: converts a channel's message from the Bot API to a post. */
import type { FormattedText } from '../../../../contract/extra.ts';
import type { Post, Service } from '../../../../contract/post.ts';
import { concatFormattedText } from '../../../domain/formatted-text.ts';
import type { Message } from '../../../domain/model.ts';
import {
  countField,
  isRawObject,
  nonEmptyTextField,
  omitUndefined,
  type RawObject,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { type ChatSummary, type ParseFailure, parseChatSummary, parseFailure } from './chat.ts';
import { CONTENT_PARSERS, type FieldContent, isContentField } from './content.ts';
import { truncateText } from './entities.ts';
import { type FoundFiles, MAX_TELEGRAM_FILE_BYTES } from './files.ts';
import { type FieldsOf, fieldRoleOf } from './message-fields.ts';
import { parseForward, parseReply } from './origin.ts';
import { createTextBudget, extractText } from './rich-text.ts';

export interface ParseOptions {
  /** The update's id. Of two versions with the same second, the one of the later update wins. */
  readonly updateId?: number;
  /** Files larger than this many bytes are not fetched. The default is Telegram's own limit. */
  readonly maxBytes?: number;
}

/**
 * Result of parsing a channel's message. `post` is shown to readers, including service messages that are relevant to
 * them (`message.post.service`). `service-unshown` only means that this id is not a missing post. `chat` contains the
 * details of the channel in the message, with which a new username is detected.
 */
export type ParsedChannelPost =
  | { readonly type: 'post'; readonly message: Message; readonly chat: ChatSummary }
  | {
      readonly type: 'service-unshown';
      readonly id: number;
      readonly date: number;
      readonly name: string;
      readonly raw: string;
      readonly chat: ChatSummary;
    }
  | ParseFailure;

/** Maximum length of a stored raw message in UTF-16 units. A longer one is cut, and is then no valid JSON. */
const MAX_RAW_LENGTH = 262_144;
const MAX_TITLE_LENGTH = 512;
const MAX_FIELD_NAME_LENGTH = 64;
/** Maximum message id: the ids of the store must be safe integers. */
const MAX_MESSAGE_ID = 2 ** 52;

/** Serializes a message unchanged. A message that is nested too deep to serialize is replaced by a short text. */
const serializeRaw = (raw: RawObject): string => {
  try {
    return truncateText(JSON.stringify(raw), MAX_RAW_LENGTH);
  } catch {
    return '"It was nested too deep to be stored."';
  }
};

const SERVICE_PARSERS: Readonly<Record<FieldsOf<'service'>, (raw: RawObject) => Service | null>> = {
  channel_chat_created: () => ({ action: 'created' }),
  new_chat_title: (raw) => {
    const title = nonEmptyTextField(raw, 'new_chat_title');
    return title === undefined ? null : { action: 'renamed', title: truncateText(title, MAX_TITLE_LENGTH) };
  },
  new_chat_photo: () => ({ action: 'picture' }),
  pinned_message: ({ pinned_message }) => {
    const messageId = isRawObject(pinned_message) ? countField(pinned_message, 'message_id') : undefined;
    return messageId ? { action: 'pinned', messageId } : null;
  },
};

const isServiceField = (name: string): name is keyof typeof SERVICE_PARSERS => Object.hasOwn(SERVICE_PARSERS, name);

const parseService = (raw: RawObject): Service | null => {
  const name = Object.keys(raw).find(isServiceField);
  return name === undefined ? null : SERVICE_PARSERS[name](raw);
};

type ShownContent = Pick<Message['post'], 'text' | 'entities'> & Omit<FieldContent, 'formattedText'>;

const hasContent = ({ text, entities: _entities, ...fields }: ShownContent, { media }: FoundFiles): boolean =>
  text !== '' || media.length > 0 || Object.keys(fields).length > 0;

/**
 * Combines the results of all content fields. If a message has two of them, the text and files of both are included.
 */
const parseContents = (raw: RawObject, foundFiles: FoundFiles): ShownContent | null => {
  const results = Object.keys(raw)
    .filter(isContentField)
    .map((name) => ({ name, content: CONTENT_PARSERS[name](raw, foundFiles) }));
  const malformed = results.filter(({ content }) => content === null).map(({ name }) => name);
  for (const name of malformed) foundFiles.unparsedFields.add(name);
  if (results.filter(({ content }) => content?.extra).length > 1) foundFiles.unparsedFields.add('extra');
  const merged: FieldContent = {};
  for (const { content } of results) Object.assign(merged, content);
  const { formattedText: _formattedText, ...fields } = merged;
  const texts = results.map(({ name, content }) =>
    content === null ? extractLooseText(raw[name], foundFiles) : content.formattedText,
  );
  const { text, entities } = concatFormattedText(
    texts.filter((part) => part !== undefined),
    '\n\n',
  );
  const content = { text, entities: [...entities], ...fields };
  if (malformed[0] !== undefined && fields.extra === undefined)
    return { ...content, extra: { type: 'unknown', name: malformed[0] } };
  return hasContent(content, foundFiles) ? content : null;
};

/** Returns all text that unparsable content contains, so that readers do not lose any of it. */
const extractLooseText = (value: unknown, { unparsedFields }: FoundFiles): FormattedText => ({
  text: extractText(value, createTextBudget(unparsedFields)),
  entities: [],
});

/** Creates the content of a message without any known content: its kind by name, and the text that it contains. */
const createUnknownContent = (raw: RawObject, foundFiles: FoundFiles): ShownContent => {
  const name = Object.keys(raw).find((field) => fieldRoleOf(field) === null);
  const { text } = extractLooseText(name === undefined ? '' : raw[name], foundFiles);
  return { text, entities: [], extra: { type: 'unknown', name: truncateText(name ?? 'empty', MAX_FIELD_NAME_LENGTH) } };
};

const recordUnparsedFields = (raw: RawObject, { unparsedFields }: FoundFiles): void => {
  for (const name of Object.keys(raw)) {
    const role = fieldRoleOf(name);
    if (role === null || role === 'kept') unparsedFields.add(truncateText(name, MAX_FIELD_NAME_LENGTH));
  }
};

const albumIdOf = (raw: RawObject) => /^\d{1,32}$/.exec(nonEmptyTextField(raw, 'media_group_id') ?? '')?.[0];

/** Parses an unmodified channel message (`channel_post`, `edited_channel_post`). Never throws. */
export const parseChannelPost = (
  raw: unknown,
  { updateId, maxBytes = MAX_TELEGRAM_FILE_BYTES }: ParseOptions = {},
): ParsedChannelPost => {
  if (!isRawObject(raw)) return parseFailure('the message is not an object');
  const [chat, id, date] = [parseChatSummary(raw.chat), countField(raw, 'message_id'), secondsField(raw, 'date')];
  if (chat === null) return parseFailure('its chat is not a channel');
  if (!id || id > MAX_MESSAGE_ID) return parseFailure('it has no message id');
  if (date === undefined) return parseFailure('it has no date');

  const foundFiles: FoundFiles = { messageId: id, maxBytes, media: [], files: [], unparsedFields: new Set() };
  recordUnparsedFields(raw, foundFiles);
  const service = parseService(raw);
  const contents = parseContents(raw, foundFiles);
  const serviceName = Object.keys(raw).find((field) => fieldRoleOf(field) === 'quiet' || fieldRoleOf(field) === 'service');
  if (contents === null && service === null && serviceName !== undefined)
    return { type: 'service-unshown', id, date, name: serviceName, raw: serializeRaw(raw), chat };

  const { pollId, ...content } = contents ?? (service ? { text: '', entities: [] } : createUnknownContent(raw, foundFiles));
  const edited = secondsField(raw, 'edit_date');
  const postFields = omitUndefined<Partial<Post>>({
    edited,
    author: nonEmptyTextField(raw, 'author_signature'),
    reply: parseReply(raw, chat.channelId, foundFiles.unparsedFields),
    forward: parseForward(raw.forward_origin, foundFiles.unparsedFields),
    service: service ?? undefined,
  });
  const messageFields = omitUndefined<Partial<Message>>({
    albumId: albumIdOf(raw),
    sequence: updateId,
    pollId,
    raw: foundFiles.unparsedFields.size > 0 ? serializeRaw(raw) : undefined,
  });
  const post = { channelId: chat.channelId, id, date, reactions: [], ...content, ...postFields };
  return {
    type: 'post',
    chat,
    message: {
      post,
      media: foundFiles.media,
      files: foundFiles.files,
      source: 'bot',
      modifiedAt: edited ?? date,
      ...messageFields,
    },
  };
};
