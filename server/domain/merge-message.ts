/** Message merge: combines versions of one message from different sources. */
import type { Message, StoredMedia } from './model.ts';

/** Stored body of a message: every field of the post that has no column of its own. */
export type MessageBody = Omit<Message['post'], 'channelId' | 'id' | 'date'> & { media: readonly StoredMedia[] };

/** Version of a message, with the fields that order versions. */
export interface MessageVersion {
  readonly date: number;
  readonly modifiedAt: number;
  readonly rank: number;
  readonly sequence: number;
  readonly body: MessageBody;
}

/** Ranks of the sources: of two versions with the same time, the one with the higher rank takes precedence. */
const SOURCE_RANKS = { export: 0, feed: 1, bot: 2 };

/** Converts a source's message to a version. The bot ranks above a feed, a feed above an export. */
export const toMessageVersion = ({ post, media, source, modifiedAt, sequence = 0 }: Message): MessageVersion => {
  const { channelId: _channel, id: _id, date, ...rest } = post;
  return { date, modifiedAt, rank: SOURCE_RANKS[source], sequence, body: { ...rest, media } };
};

const isSameFile = (one: StoredMedia, other: StoredMedia) => {
  if (one.messageId !== other.messageId) return false;
  if (one.unique !== undefined && other.unique !== undefined) return one.unique === other.unique;
  return one.type === other.type && (one.size === undefined || other.size === undefined || one.size === other.size);
};

/** Fields that describe a file, not the message that shows it. */
const FILE_FIELDS = [
  'poster',
  'motion',
  'width',
  'height',
  'placeholder',
  'name',
  'mime',
  'size',
  'duration',
  'title',
  'performer',
] as const satisfies readonly (keyof StoredMedia)[];

const pickFileFields = (media: StoredMedia): Partial<StoredMedia> =>
  Object.fromEntries(FILE_FIELDS.filter((field) => media[field] !== undefined).map((field) => [field, media[field]]));

/**
 * Adds the file of another version. A file that any source supplied is retained, in any order of arrival: an export
 * without files never removes a file that the bot downloaded or is about to download.
 */
const fillFromOtherVersion = (media: StoredMedia, others: readonly StoredMedia[]): StoredMedia => {
  const other = others.find((candidate) => isSameFile(media, candidate));
  if (!other) return media;
  const { missing, ...rest } = {
    ...pickFileFields(other),
    ...(other.unique === undefined ? {} : { unique: other.unique }),
    ...media,
  };
  if (media.src !== undefined) return missing === undefined ? rest : { ...rest, missing };
  if (other.src !== undefined) return { ...rest, src: other.src, ...(other.missing ? { missing: other.missing } : {}) };
  const reason = media.unique === undefined && other.unique !== undefined ? other.missing : missing;
  return reason === undefined ? rest : { ...rest, missing: reason };
};

/**
 * Compares two versions; positive if the first is later. The order is the time of modification, then the source, then
 * the source's own sequence.
 */
const compareMessageVersions = (one: MessageVersion, other: MessageVersion): number =>
  one.modifiedAt - other.modifiedAt || one.rank - other.rank || one.sequence - other.sequence;

/**
 * Merges two versions of one message. The result does not depend on the order, except for two of the same source and
 * `sequence`.
 */
export const mergeVersions = (current: MessageVersion, incoming: MessageVersion): MessageVersion => {
  const incomingWins = compareMessageVersions(incoming, current) >= 0;
  const [winner, loser] = incomingWins ? [incoming, current] : [current, incoming];
  // Telegram does not send reactions to a bot with the post, so an empty list from the bot means unknown.
  const areReactionsUnknown = winner.rank > loser.rank && winner.body.reactions.length === 0;
  const body = {
    ...winner.body,
    reactions: areReactionsUnknown ? loser.body.reactions : winner.body.reactions,
    media: winner.body.media.map((media) => fillFromOtherVersion(media, loser.body.media)),
  };
  return { ...winner, body };
};

/** Returns whether two versions are equal, regardless of the order of their fields. */
export const isSameVersion = (one: MessageVersion, other: MessageVersion): boolean =>
  one.date === other.date &&
  compareMessageVersions(one, other) === 0 &&
  serializeCanonical(one.body) === serializeCanonical(other.body);

const sortFields = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Serializes a body with its fields in a fixed order, so that equal bodies are equal strings. */
export const serializeCanonical = (body: MessageBody): string => JSON.stringify(body, sortFields);
