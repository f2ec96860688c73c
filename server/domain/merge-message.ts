import type { KeptMedia, Message } from './model.ts';

/** What an engine keeps of a message beside its place: everything of the post that is not a column. */
export type MessageBody = Omit<Message['post'], 'channelId' | 'id' | 'date'> & { media: readonly KeptMedia[] };

/** A version of a message with what orders it among the others. */
export interface Version {
  readonly date: number;
  readonly seen: number;
  readonly rank: number;
  readonly turn: number;
  readonly body: MessageBody;
}

const RANKS = { export: 0, feed: 1, bot: 2 };

/** Reads a source's message as a version; the bot ranks above a feed, a feed above an export. */
export const versionOf = ({ post, media, source, seen, turn = 0 }: Message): Version => {
  const { channelId: _channel, id: _id, date, ...rest } = post;
  return { date, seen, rank: RANKS[source], turn, body: { ...rest, media } };
};

const sameFile = (one: KeptMedia, other: KeptMedia) => {
  if (one.messageId !== other.messageId) return false;
  if (one.unique !== undefined && other.unique !== undefined) return one.unique === other.unique;
  return one.type === other.type && (one.size === undefined || other.size === undefined || one.size === other.size);
};

/** What belongs to a file and not to the message that shows it. */
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
 * A file that any source gave stays, whichever came first: an export without files never takes away what the bot fetched, or
 * is about to fetch.
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

/** Above zero where one version is later than another: by the second it was seen, then the source, then the source's own order. */
const later = (one: Version, other: Version): number => one.seen - other.seen || one.rank - other.rank || one.turn - other.turn;

/** Merges two versions of one message; the same two give the same whichever came first, except two of one source and turn. */
export const mergeVersions = (held: Version, come: Version): Version => {
  const comeWins = later(come, held) >= 0;
  const [winner, loser] = comeWins ? [come, held] : [held, come];
  // A bot is not told of reactions with the post, so its empty list says nothing.
  const unknown = winner.rank > loser.rank && winner.body.reactions.length === 0;
  const body = {
    ...winner.body,
    reactions: unknown ? loser.body.reactions : winner.body.reactions,
    media: winner.body.media.map((media) => fillIn(media, loser.body.media)),
  };
  return { ...winner, body };
};

/** Tells whether two versions say the same, whatever the order of their fields. */
export const sameVersion = (one: Version, other: Version): boolean =>
  one.date === other.date && later(one, other) === 0 && canonical(one.body) === canonical(other.body);

const sorted = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Writes a body with its fields in one order, so that equal bodies are equal strings. */
export const canonical = (body: MessageBody): string => JSON.stringify(body, sorted);
