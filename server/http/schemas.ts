import { type TSchema, Type } from 'typebox';
import { POST_KINDS, Problem } from '../../contract/api.ts';

/** The answers of a route: what it gives, and the problems any route may give. */
export const answers = <Answer extends TSchema>(answer: Answer) => ({ 200: answer, '4xx': Problem, '5xx': Problem });

/** The answers of a route that says nothing when it succeeds. */
export const silence = { 204: Type.Null(), '4xx': Problem, '5xx': Problem };

/** The answers of a route that gives a document of one of these types. */
export const documents = (description: string, ...types: readonly string[]) => ({
  200: { description, content: Object.fromEntries(types.map((type) => [type, { schema: Type.String() }])) },
  '4xx': Problem,
  '5xx': Problem,
});

/** A channel's id or one of its usernames, also a former one. */
export const ChannelParams = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) });

/** A message's id: from 1 to the largest whole number that is exact. */
export const MessageId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const PostParams = Type.Object({
  channel: Type.String({ minLength: 1, maxLength: 64 }),
  id: MessageId,
});

/** Posts of one page: 20 unless asked, 100 at most. */
export const Limit = Type.Integer({ minimum: 1, maximum: 100, default: 20 });

/** An opaque cursor as a page's `next` or `previous` gave it. */
export const Cursor = Type.String({ minLength: 1, maxLength: 300 });

/** Ids or usernames with commas between. */
export const ChannelList = Type.String({ minLength: 1, maxLength: 8000 });

/** Only posts that hold something: `1` a file of any kind, or kinds with commas between. */
export const OnlyMedia = Type.String({
  maxLength: 100,
  description: `1 for a photo, video, audio, voice message or document, or any of ${POST_KINDS.join(', ')} with commas between`,
});
