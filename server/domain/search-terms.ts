/** Search terms: the index terms of a post and the parsed terms of a search query. */
import type { PostKind } from '../../contract/api.ts';
import { type PostExtra, parseExtra } from '../../contract/extra.ts';
import { ParseError } from '../../contract/parse.ts';
import type { MessageBody } from './merge-message.ts';
import type { PostsQuery, StoredMedia } from './model.ts';
import { containsRuns, parseSearchQuery, type QueryTerm } from './search.ts';
import { extractIndexTerms, type IndexTerm } from './tokenizer.ts';

const KIND_BY_MEDIA_TYPE: Readonly<Record<StoredMedia['type'], PostKind | null>> = {
  photo: 'photo',
  video: 'video',
  animation: 'video',
  video_note: 'video',
  audio: 'audio',
  voice: 'voice',
  document: 'document',
  sticker: null,
};
const FILE_KINDS: readonly PostKind[] = ['photo', 'video', 'audio', 'voice', 'document'];

/** Index term of a channel. It cannot collide with a word of a text, because words contain no colon. */
export const channelTerm = (id: string): string => `c:${id}`;

const kindTerm = (kind: PostKind): string => `k:${kind}`;

const isLink = ({ type, url }: MessageBody['entities'][number]): boolean =>
  type === 'url' || (type === 'text_link' && /^https?:/i.test(url ?? ''));

const kindsOf = ({ media, entities, poll }: MessageBody): (PostKind | null)[] => [
  ...media.map(({ type }) => KIND_BY_MEDIA_TYPE[type]),
  entities.some(isLink) ? 'link' : null,
  poll ? 'poll' : null,
];

const extraTexts = (extra: PostExtra): readonly (string | undefined)[] => {
  switch (extra.type) {
    case 'checklist':
      return [extra.title.text, ...extra.tasks.map((task) => task.text)];
    case 'giveaway':
      return [extra.prize, ...extra.channels];
    case 'giveaway-over':
      return [extra.prize, ...extra.names];
    case 'story':
      return [extra.name];
    case 'invoice':
    case 'game':
      return [extra.title, extra.about];
    default:
      return [];
  }
};

const parseExtraTexts = (raw: unknown): readonly (string | undefined)[] => {
  try {
    return raw === undefined ? [] : extraTexts(parseExtra(raw, 'extra'));
  } catch (error) {
    // Content that cannot be shown is not searchable.
    if (error instanceof ParseError) return [];
    throw error;
  }
};

const linkHostOf = ({ type, url }: MessageBody['entities'][number]): string | undefined =>
  type === 'text_link' && url !== undefined && URL.canParse(url) ? new URL(url).hostname : undefined;

/**
 * Returns all texts of a message that readers see, and the hosts of its links. The quoted text of a reply belongs to
 * another post and is excluded.
 */
const searchableTextOf = (body: MessageBody): string =>
  [
    body.text,
    ...body.entities.map(linkHostOf),
    body.author,
    body.forward?.name,
    body.place?.title,
    body.place?.address,
    body.contact?.name,
    body.contact?.phone,
    body.service?.title,
    body.poll?.question,
    ...(body.poll?.options.map((option) => option.text) ?? []),
    ...body.media.flatMap(({ title, performer, name }) => [title, performer, name]),
    ...parseExtraTexts(body.extra),
  ]
    .filter((part) => part !== undefined && part !== null)
    .join('\n');

/**
 * Returns whether a post that contains all pairs of characters of a query also contains their runs without
 * interruption.
 */
export const containsQueryRuns = (bodies: readonly MessageBody[], queryTerms: readonly QueryTerm[]): boolean =>
  containsRuns(bodies.map(searchableTextOf).join('\n'), queryTerms);

/** Returns the index terms of a post (all messages of an album): its channel, its kinds and its words. */
export const indexTermsOf = (channel: string, bodies: readonly MessageBody[]): IndexTerm[] => {
  const kinds = new Set(bodies.flatMap(kindsOf).filter((kind) => kind !== null));
  const exactTerms = [channelTerm(channel), ...[...kinds].map(kindTerm)];
  return [...exactTerms.map((term) => ({ term, spellings: [] })), ...extractIndexTerms(bodies.map(searchableTextOf).join('\n'))];
};

/**
 * Returns the terms of a query other than channels and times. A post must match one term of each list. Null if nothing
 * can match, because the query text contains no word.
 */
export const buildQueryTerms = ({ match, kinds, media }: PostsQuery): (readonly QueryTerm[])[] | null => {
  const textTerms = match === undefined ? [] : parseSearchQuery(match).map((queryTerm) => [queryTerm]);
  if (match !== undefined && textTerms.length === 0) return null;
  const kindTerms = [...(kinds ? [kinds] : []), ...(media ? [FILE_KINDS] : [])].map((alternatives) =>
    alternatives.map((kind) => ({ term: kindTerm(kind) })),
  );
  return [...textTerms, ...kindTerms];
};
