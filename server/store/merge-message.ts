import type { Media } from '../../contract/post.ts';
import type { Message } from './store.ts';

/** What an engine keeps of a message beside its place: everything of the post that is not a column. */
export type MessageBody = Omit<Message['post'], 'channelId' | 'id' | 'date'> & { media: readonly Media[] };

/** A version of a message with what orders it among the others. */
export interface Version {
  readonly date: number;
  readonly seen: number;
  readonly rank: number;
  readonly body: MessageBody;
}

const RANKS = { export: 0, feed: 1, bot: 2 };

/** Reads a source's message as a version; the bot ranks above a feed, a feed above an export. */
export const versionOf = ({ post, media, source, seen }: Message): Version => {
  const { channelId: _channel, id: _id, date, ...rest } = post;
  return { date, seen, rank: RANKS[source], body: { ...rest, media } };
};

const sameFile = (one: Media, other: Media) =>
  one.messageId === other.messageId &&
  one.type === other.type &&
  (one.size === undefined || other.size === undefined || one.size === other.size);

const poster = (media: Media, from: Media): Media => (media.poster || !from.poster ? media : { ...media, poster: from.poster });

/** A file that any source gave stays, whichever came first: an export without files never takes away what the bot fetched. */
const fillIn = (media: Media, others: readonly Media[]): Media => {
  const other = others.find((candidate) => sameFile(media, candidate));
  if (!other) return media;
  if (media.src || !other.src) return poster(media, other);
  const { missing: _missing, ...rest } = media;
  return poster({ ...other, ...rest }, other);
};

/** Merges two versions of one message; the same two give the same whichever came first, except two of one source and second. */
export const mergeVersions = (held: Version, come: Version): Version => {
  const comeWins = come.seen > held.seen || (come.seen === held.seen && come.rank >= held.rank);
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
  one.date === other.date && one.seen === other.seen && one.rank === other.rank && canonical(one.body) === canonical(other.body);

const sorted = (_key: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

/** Writes a body with its fields in one order, so that equal bodies are equal strings. */
export const canonical = (body: MessageBody): string => JSON.stringify(body, sorted);
