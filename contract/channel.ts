// Channel schema: TypeBox schemas and types of a channel and its picture.
import { type Static, Type } from 'typebox';

/**
 * A stored image. `src` is a path on the API's host. `placeholder` is nine RRGGBB colours, row by row, of a 3×3
 * thumbnail.
 */
export const StoredPicture = Type.Object({
  src: Type.String(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  placeholder: Type.Optional(Type.String({ pattern: '^[0-9a-f]{54}$' })),
});
export type StoredPicture = Static<typeof StoredPicture>;

export const ChannelSource = Type.Union([Type.Literal('bot'), Type.Literal('export'), Type.Literal('feed')]);
export type ChannelSource = Static<typeof ChannelSource>;

export const ChannelState = Type.Union([Type.Literal('live'), Type.Literal('paused'), Type.Literal('archived')]);
export type ChannelState = Static<typeof ChannelState>;

/**
 * A channel as readers see it.
 *
 * `id` is opaque: the bare Telegram id, or `f-` and a hash for a feed. Counts that no source supplied are absent.
 * `since` is the time (unix seconds) at which a paused channel stopped receiving updates. `latest` is the message id
 * and date (unix seconds) of the newest post, absent while the channel is empty.
 *
 * `pinnedPosts` are the ids of the pinned posts that the server stores, newest first, at most 20; `pinned` is the first
 * of them. A pinned post may have been unpinned in the meantime, except the newest one of a Telegram channel: Telegram
 * does not report when the others are unpinned.
 *
 * A channel with `elsewhere` is a feed that a reader added. It is unlisted: anyone who knows its id can read it, and
 * lists do not contain it unless the request names it.
 */
export const Channel = Type.Object({
  id: Type.String(),
  title: Type.String(),
  username: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
  picture: Type.Optional(StoredPicture),
  members: Type.Optional(Type.Integer()),
  source: ChannelSource,
  state: ChannelState,
  private: Type.Boolean(),
  demo: Type.Boolean(),
  since: Type.Optional(Type.Integer()),
  latest: Type.Optional(Type.Object({ id: Type.Integer(), date: Type.Integer() })),
  pinned: Type.Optional(Type.Integer()),
  pinnedPosts: Type.Optional(Type.Array(Type.Integer())),
  elsewhere: Type.Optional(Type.Boolean()),
});
export type Channel = Static<typeof Channel>;
