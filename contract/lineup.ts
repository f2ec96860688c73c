/** Line-up schema: TypeBox schemas and types of a reader's line-up and its presets. */
import { type Static, Type } from 'typebox';
import { MAX_LINEUP_ENTRIES, MAX_PRESETS } from './limits.ts';

/** Upper limit of integers: JavaScript and both stores represent integers up to this one exactly. */
export const MAX_EXACT_INTEGER = Number.MAX_SAFE_INTEGER;

const ChannelId = Type.String({ minLength: 1, maxLength: 64 });
/** Time of the last change by the device's clock, in unix milliseconds. Absent means never. */
const ChangedAt = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_EXACT_INTEGER }));

/**
 * A channel in a line-up; the order of the entries is the order on the dial. A channel that is no longer followed keeps
 * its entry, so that it has the same position and the same mute if it is followed again. `mutedUntil` is the end of the
 * mute, unix seconds; 0 means that the mute has no end. The reader's feed omits posts that contain one of the
 * `mutedWords`. `feed` is the URL with which the reader added a feed; it is private to the reader and never sent to
 * others.
 */
export const LineupEntry = Type.Object({
  channelId: ChannelId,
  followed: Type.Optional(Type.Boolean()),
  mutedUntil: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_EXACT_INTEGER })),
  mutedWords: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 50 })),
  feed: Type.Optional(Type.String({ minLength: 1, maxLength: 2048 })),
  changed: ChangedAt,
});
export type LineupEntry = Static<typeof LineupEntry>;

/**
 * A named set of channels of a line-up, read as one feed. A `removed` preset is stored as a tombstone, so that no other
 * device restores it.
 */
export const Preset = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  name: Type.String({ minLength: 1, maxLength: 64 }),
  channelIds: Type.Array(ChannelId, { maxItems: MAX_LINEUP_ENTRIES }),
  removed: Type.Optional(Type.Boolean()),
  changed: ChangedAt,
});
export type Preset = Static<typeof Preset>;

export const Presets = Type.Optional(Type.Array(Preset, { maxItems: MAX_PRESETS }));

const contents = {
  entries: Type.Array(LineupEntry, { maxItems: MAX_LINEUP_ENTRIES }),
  presets: Presets,
  /** Time at which the entries were last reordered. */
  ordered: ChangedAt,
};

/** Contents of a line-up, without its version. */
export const LineupContents = Type.Object(contents);
export type LineupContents = Static<typeof LineupContents>;

/** A reader's line-up. `version` counts its changes on the server; it is 0 if the reader never saved one. */
export const Lineup = Type.Object({ ...contents, version: Type.Integer({ minimum: 0 }) });
export type Lineup = Static<typeof Lineup>;

/**
 * Request body of PUT of a line-up. `version` is the last version that the device received. If the server has a newer
 * one, the server merges the two (merge-lineup.ts). Without a version, or with the server's current one, the body
 * replaces the line-up completely.
 */
export const LineupChange = Type.Object({ ...contents, version: Type.Optional(Type.Integer({ minimum: 0 })) });
export type LineupChange = Static<typeof LineupChange>;
