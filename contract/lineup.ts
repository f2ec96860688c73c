import { type Static, Type } from 'typebox';
import { MOST_ENTRIES, MOST_PRESETS } from './limits.ts';

/** Whole numbers are those that JavaScript and both stores keep exactly. */
export const EXACT = Number.MAX_SAFE_INTEGER;

const ChannelId = Type.String({ minLength: 1, maxLength: 64 });
/** The device's clock in unix milliseconds when something was last touched; absent counts as never. */
const Touched = Type.Optional(Type.Integer({ minimum: 0, maximum: EXACT }));

/**
 * A channel's place in a line-up; the order of the entries is the order on the dial. A channel that is not followed keeps
 * its entry for its number, its mute and its return. `mutedUntil` is unix seconds, 0 for "until changed". Posts that hold one
 * of the `mutedWords` are left out of the reader's feed. `feed` is the address by which the reader added a feed from
 * elsewhere: the reader's own, never told to others.
 */
export const LineupEntry = Type.Object({
  channelId: ChannelId,
  followed: Type.Optional(Type.Boolean()),
  mutedUntil: Type.Optional(Type.Integer({ minimum: 0, maximum: EXACT })),
  mutedWords: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })),
  feed: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  changed: Touched,
});
export type LineupEntry = Static<typeof LineupEntry>;

/** Some channels of a line-up under a name, to switch to. A `removed` one is remembered, so that no other device brings it back. */
export const Preset = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: 64 }),
  channelIds: Type.Array(ChannelId, { maxItems: MOST_ENTRIES }),
  removed: Type.Optional(Type.Boolean()),
  changed: Touched,
});
export type Preset = Static<typeof Preset>;

export const Presets = Type.Optional(Type.Array(Preset, { maxItems: MOST_PRESETS }));

const contents = {
  entries: Type.Array(LineupEntry, { maxItems: MOST_ENTRIES }),
  presets: Presets,
  /** When the entries were last put in order. */
  ordered: Touched,
};

/** What a line-up is made of. */
export const LineupContents = Type.Object(contents);
export type LineupContents = Static<typeof LineupContents>;

/** A reader's line-up; `version` counts its changes on the server, 0 when the reader never saved one. */
export const Lineup = Type.Object({ ...contents, version: Type.Integer({ minimum: 0 }) });
export type Lineup = Static<typeof Lineup>;

/**
 * What a PUT of a line-up carries. `version` is the one that the device last saw: where the server has gone on since, the two are
 * merged (merge-lineup.ts); without one, or with the server's own, what is sent takes its place whole.
 */
export const LineupChange = Type.Object({ ...contents, version: Type.Optional(Type.Integer({ minimum: 0 })) });
export type LineupChange = Static<typeof LineupChange>;
