import { type Static, Type } from 'typebox';

/** A stored image: `src` is a path on the API's host; `placeholder` is nine RRGGBB colours, row by row, of a 3×3 thumbnail. */
export const Picture = Type.Object({
  src: Type.String(),
  width: Type.Integer({ minimum: 1 }),
  height: Type.Integer({ minimum: 1 }),
  placeholder: Type.Optional(Type.String({ pattern: '^[0-9a-f]{54}$' })),
});
export type Picture = Static<typeof Picture>;

export const ChannelSource = Type.Union([Type.Literal('bot'), Type.Literal('export'), Type.Literal('feed')]);
export type ChannelSource = Static<typeof ChannelSource>;

export const ChannelState = Type.Union([Type.Literal('live'), Type.Literal('paused'), Type.Literal('archived')]);
export type ChannelState = Static<typeof ChannelState>;

/**
 * One channel as readers see it.
 *
 * `id` is opaque: the bare Telegram id, or `f-` and a hash for a feed. Counts that no source gave are absent. `since` is when a
 * paused channel stopped being followed (unix seconds). `latest` is the newest post's message id and date (unix seconds), absent while the channel is empty.
 * `pinnedPosts` are the ids of the pinned posts that are held, newest first, and `pinned` is the first of them: at most 20. Each may have
 * been unpinned since, except the newest one of Telegram: it does not report the others.
 * One from `elsewhere` is a feed that a reader added: whoever names it reads it, and no list has it unasked.
 */
export const Channel = Type.Object({
  id: Type.String(),
  title: Type.String(),
  username: Type.Optional(Type.String()),
  about: Type.Optional(Type.String()),
  picture: Type.Optional(Picture),
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
