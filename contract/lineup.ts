import { type Static, Type } from 'typebox';

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
  channelIds: Type.Array(ChannelId, { maxItems: 1000 }),
  removed: Type.Optional(Type.Boolean()),
  changed: Touched,
});
export type Preset = Static<typeof Preset>;

export const Presets = Type.Optional(Type.Array(Preset, { maxItems: 100 }));

const contents = {
  entries: Type.Array(LineupEntry, { maxItems: 1000 }),
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
 * merged (mergeLineups); without one, or with the server's own, what is sent takes its place whole.
 */
export const LineupChange = Type.Object({ ...contents, version: Type.Optional(Type.Integer({ minimum: 0 })) });
export type LineupChange = Static<typeof LineupChange>;

/** Whether a channel is muted. `seconds` is unix time; muted "until changed" is 0. */
export const isMuted = ({ mutedUntil }: LineupEntry, seconds: number): boolean =>
  mutedUntil !== undefined && (mutedUntil === 0 || mutedUntil > seconds);

interface Touchable {
  readonly changed?: number;
}

/**
 * Merges two line-ups that were changed apart: of each entry and preset the one touched later stays, the order is that of who
 * ordered last, and what only one knows stays behind its neighbour. What is `sent` wins where both say the same time.
 */
export function mergeLineups(held: LineupContents, sent: LineupContents): LineupContents {
  const isSentLater = (sent.ordered ?? 0) >= (held.ordered ?? 0);
  const ordered = Math.max(sent.ordered ?? 0, held.ordered ?? 0);
  const presets = union(held.presets ?? [], sent.presets ?? [], isSentLater, (preset) => preset.id);
  return {
    entries: union(held.entries, sent.entries, isSentLater, (entry) => entry.channelId),
    ...(presets.length > 0 && { presets }),
    ...(ordered > 0 && { ordered }),
  };
}

/** Unites two lists in the order of one of them; of what both hold, the later touched. */
function union<Item extends Touchable>(
  held: readonly Item[],
  sent: readonly Item[],
  isSentOrder: boolean,
  keyOf: (item: Item) => string,
): Item[] {
  const found = new Map(held.map((item) => [keyOf(item), item]));
  for (const item of sent) {
    const other = found.get(keyOf(item));
    if (other === undefined || (item.changed ?? 0) >= (other.changed ?? 0)) found.set(keyOf(item), item);
  }
  const [leading, other] = isSentOrder ? [sent, held] : [held, sent];
  const order = leading.map(keyOf);
  other.map(keyOf).forEach((key, index, keys) => {
    if (!order.includes(key)) order.splice(index === 0 ? 0 : order.indexOf(keys[index - 1] ?? '') + 1, 0, key);
  });
  return order.flatMap((key) => found.get(key) ?? []);
}
