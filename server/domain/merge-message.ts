/** Message merge: combines versions of one message from different sources. */
import type { KeptMedia, Message } from './model.ts';

/** Stored body of a message: every field of the post that has no column of its own. */
export type MessageBody = Omit<Message['post'], 'channelId' | 'id' | 'date'> & { media: readonly KeptMedia[] };

/** Version of a message, with the fields that order versions. */
export interface Version {
  readonly date: number;
  readonly seen: number;
  readonly rank: number;
  readonly turn: number;
  readonly body: MessageBody;
}

const RANKS = { export: 0, feed: 1, bot: 2 };

/** Converts a source's message to a version. The bot ranks above a feed, a feed above an export. */
export const versionOf = ({ post, media, source, seen, turn = 0 }: Message): Version => {
  const { channelId: _channel, id: _id, date, ...rest } = post;
  return { date, seen, rank: RANKS[source], turn, body: { ...rest, media } };
};

const sameFile = (one: KeptMedia, other: KeptMedia) => {
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
] as const satisfies readonly (keyof KeptMedia)[];

const ofFile = (media: KeptMedia): Partial<KeptMedia> =>
  Object.fromEntries(FILE_FIELDS.filter((field) => media[field] !== undefined).map((field) => [field, media[field]]));

/**
 * Adds the file of another version. A file that any source supplied is retained, in any order of arrival: an export without files
 * never removes a file that the bot downloaded or is about to download.
 */
const fillIn = (media: KeptMedia, others: readonly KeptMedia[]): KeptMedia => {
  const other = others.find((candidate) => sameFile(media, candidate));
  if (!other) return media;
  const { missing, ...rest } = { ...ofFile(other), ...(other.unique === undefined ? {} : { unique: other.unique }), ...media };
  if (media.src !== undefined) return missing === undefined ? rest : { ...rest, missing };
  if (other.src !== undefined) return { ...rest, src: other.src, ...(other.missing ? { missing: other.missing } : {}) };
  const why = media.unique === undefined && other.unique !== undefined ? other.missing : missing;
  return why === undefined ? rest : { ...rest, missing: why };
};

/**
 * Compares two versions; positive if the first is later. The order is the second of `seen`, then the source, then the source's
 * own sequence.
 */
const later = (one: Version, other: Version): number => one.seen - other.seen || one.rank - other.rank || one.turn - other.turn;

/** Merges two versions of one message. The result does not depend on the order, except for two of the same source and `turn`. */
export const mergeVersions = (held: Version, come: Version): Version => {
  const comeWins = later(come, held) >= 0;
  const [winner, loser] = comeWins ? [come, held] : [held, come];
  // Telegram does not send reactions to a bot with the post, so an empty list from the bot means unknown.
  const unknown = winner.rank > loser.rank && winner.body.reactions.length === 0;
  const body = {
    ...winner.body,
    reactions: unknown ? loser.body.reactions : winner.body.reactions,
    media: winner.body.media.map((media) => fillIn(media, loser.body.media)),
  };
  return { ...winner, body };
};

/** Returns whether two versions are equal, regardless of the order of their fields. */
export const sameVersion = (one: Version, other: Version): boolean =>
  one.date === other.date && later(one, other) === 0 && canonical(one.body) === canonical(other.body);

const sorted = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Serializes a body with its fields in a fixed order, so that equal bodies are equal strings. */
export const canonical = (body: MessageBody): string => JSON.stringify(body, sorted);
