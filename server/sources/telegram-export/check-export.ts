/** Export validation: reads an export completely before the import writes anything. */
import { isRawObject, textField } from '../../lib/unknown-fields.ts';
import type { JsonPath } from './json-stream.ts';
import { type ExportFile, ImportError, readExport } from './open-export.ts';

/** Details of one chat in an export, collected from the whole file. */
export interface ExportedChat {
  readonly key: string;
  id: unknown;
  name: string | null;
  type: string | null;
  messages: number;
  /** Number of messages that have at least an id and a type. */
  plausible: number;
}

/**
 * Returns the key of the chat that a value belongs to: '' in the export of a single chat, null for a value outside of
 * any chat.
 */
export const chatKey = (path: JsonPath): string | null => {
  if (path[0] !== 'chats' && path[0] !== 'left_chats') return '';
  return path[1] === 'list' && typeof path[2] === 'number' ? `${path[0]}/${path[2]}` : null;
};

const isPlausible = (value: unknown) =>
  isRawObject(value) && typeof value.id === 'number' && textField(value, 'type') !== undefined;

const recordField = (chat: ExportedChat, field: JsonPath, value: unknown): void => {
  if (field.length === 2 && field[0] === 'messages') {
    chat.messages += 1;
    if (isPlausible(value)) chat.plausible += 1;
  } else if (field.length !== 1) return;
  else if (field[0] === 'id') chat.id = value;
  else if (field[0] === 'name') chat.name = typeof value === 'string' ? value : null;
  else if (field[0] === 'type') chat.type = typeof value === 'string' ? value : null;
};

const isChannel = ({ type }: ExportedChat) => type === 'public_channel' || type === 'private_channel';

/**
 * Returns whether the id is bare, as in every export. An id in the format of the Bot API, with -100 before it, would
 * create a second channel with broken links.
 */
const hasBareId = ({ id }: ExportedChat) => typeof id === 'number' && Number.isSafeInteger(id) && id > 0;

const selectChannels = (exportFile: ExportFile, chats: readonly ExportedChat[]): ExportedChat[] => {
  const channels = chats.filter(isChannel);
  const [first] = chats;
  if (!first)
    throw new ImportError(
      `${exportFile.file} is JSON, but not an export of Telegram Desktop: it contains no messages. Nothing was imported.`,
    );
  if (channels.length === 0)
    throw new ImportError(
      `${exportFile.file} contains no channel (${first.type === null ? 'the type of the chat is missing' : `${first.type} ${JSON.stringify(first.name)}`}); only exports of channels can be imported. Nothing was imported.`,
    );
  const invalid = channels.find((chat) => !hasBareId(chat));
  if (invalid)
    throw new ImportError(
      `${exportFile.file}: ${JSON.stringify(invalid.name)} has the id ${JSON.stringify(invalid.id)}; it should be a whole number above 0, as Telegram Desktop writes it. Nothing was imported.`,
    );
  const implausible = channels.find(({ messages, plausible }) => messages > 0 && plausible === 0);
  if (implausible)
    throw new ImportError(
      `${exportFile.file}: nothing in ${JSON.stringify(implausible.name)} looks like a message. Nothing was imported.`,
    );
  return channels;
};

/** An export that was read to its end and is valid. */
export interface CheckedExport {
  readonly exportFile: ExportFile;
  readonly channels: ReadonlyMap<string, ExportedChat>;
  readonly skippedChats: readonly ExportedChat[];
}

/**
 * Validates an export completely before anything of it is written. Throws ImportError with the position of the first
 * error.
 */
export const checkExport = async (exportFile: ExportFile, onBytes: (bytes: number) => void): Promise<CheckedExport> => {
  const chats = new Map<string, ExportedChat>();
  for await (const { values, bytes } of readExport(exportFile)) {
    for (const { path, value } of values) {
      const key = chatKey(path);
      if (key === null) continue;
      const chat = chats.get(key) ?? { key, id: null, name: null, type: null, messages: 0, plausible: 0 };
      chats.set(key, chat);
      recordField(chat, key === '' ? path : path.slice(3), value);
    }
    onBytes(bytes);
  }
  // The top level of a full export also has fields that are no chat (about, personal information).
  const allChats = [...chats.values()].filter(({ key, type, messages }) => key !== '' || type !== null || messages > 0);
  const channels = selectChannels(exportFile, allChats);
  return {
    exportFile,
    channels: new Map(channels.map((chat) => [chat.key, chat])),
    skippedChats: allChats.filter((chat) => !channels.includes(chat)),
  };
};
