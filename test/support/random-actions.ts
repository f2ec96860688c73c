// Random actions of a reader, for tests that compare devices and server.

import type { LineupContents } from '../../contract/lineup.ts';
import type { Post } from '../../contract/post.ts';
import type { DataClientControl } from '../../src/data/clients/account-client.ts';
import * as arrange from '../../src/data/lineup/operations.ts';
import { seeded } from './seeded-random.ts';

type Random = (below: number) => number;

/** The state of the reader that a tab shows. */
export interface TabState {
  readonly lineup: LineupContents;
  readonly marks: Readonly<Record<string, number>>;
  readonly stars: readonly string[];
}

/** The result of an action in a tab. */
export interface ActionResult {
  /** Entries and presets after the action, with the time of their last change. */
  readonly items: readonly { readonly name: string; readonly changed: number; readonly json: string }[];
  /** The stars that were added or removed, by the key of the post. */
  readonly stars: readonly (readonly [key: string, isStarred: boolean])[];
}

/** Returns a random item. */
export const randomItem = <Item>(random: Random, items: readonly Item[]): Item | undefined => items[random(items.length)];

/** Returns the state that a tab shows. */
export const shownIn = (tab: DataClientControl): TabState => ({
  lineup: tab.context.userState.lineup.get() ?? { entries: [] },
  // A channel that the device knows from the start has a read marker of 0.
  marks: Object.fromEntries([...tab.readMarkers.get()].filter(([, id]) => id > 0).toSorted()),
  stars: [...tab.stars.get()].toSorted(),
});

/** Performs an action of a reader in a tab. Each seed selects another action. */
export function performRandomAction(tab: DataClientControl, seed: number, posts: readonly Post[]): ActionResult {
  const before = new Set(tab.stars.get());
  randomAction(seeded(seed), tab, posts)();
  const now = new Set(tab.stars.get());
  const { entries, presets = [] } = shownIn(tab).lineup;
  return {
    items: [...entries, ...presets].map((item) => ({
      name: 'id' in item ? `preset ${item.id}` : `channel ${item.channelId}`,
      changed: item.changed ?? 0,
      json: sorted(item),
    })),
    stars: [...new Set([...before, ...now])].flatMap((key) =>
      before.has(key) === now.has(key) ? [] : [[key, now.has(key)] as const],
    ),
  };
}

/** Serializes an item of a line-up with sorted keys, so that equal items have equal texts. */
export const sorted = (item: object): string => JSON.stringify(Object.fromEntries(Object.entries(item).toSorted()));

/** Returns a random action of a reader in a tab. */
function randomAction(random: Random, tab: DataClientControl, posts: readonly Post[]): () => void {
  const rows = tab.lineup.get();
  const ids = rows.type === 'loaded' ? rows.value.map(({ channel }) => channel.id) : [];
  const shown = rows.type === 'loaded' ? rows.value.flatMap((row) => (row.followed ? row.channel.id : [])) : [];
  const [id = '', other = ''] = [randomItem(random, ids), randomItem(random, ids)];
  const [post, preset, number] = [randomItem(random, posts), `p${random(3)}`, 1 + random(6)];
  if (id === '' || post === undefined) return () => {};
  const change =
    (
      kind: Parameters<DataClientControl['applyLineupOperation']>[0]['action'],
      arrangement: Parameters<DataClientControl['applyLineupOperation']>[1],
    ) =>
    () => {
      tab.applyLineupOperation({ action: kind, channelId: id }, arrangement);
    };
  const actions: (() => void)[] = [
    change('follow', arrange.setFollowed([id], true)),
    change('unfollow', arrange.setFollowed([id], false)),
    change('mute', arrange.muteChannels([id, other], 0)),
    change('unmute', arrange.muteChannels([id], null)),
    change('mute-words', arrange.setMutedWords(id, ['news', 'cup'].slice(random(3)))),
    change('move', arrange.moveChannels(shown, [id], number)),
    change('move', arrange.moveChannels(shown, [other, id], number)),
    change('preset', arrange.savePreset({ id: preset, name: `Name ${number}`, channelIds: [id] })),
    change('preset', arrange.removePreset(preset)),
    change('take', arrange.replaceLineup([other, id].slice(id === other ? 1 : 0))),
    () => tab.star(post, true),
    () => tab.star(post, true),
    () => tab.star(post, false),
    () => tab.star(post, false),
    () => tab.markRead(post.channelId, post.id),
    () => tab.markRead(post.channelId, post.id - 3),
    () => void tab.markAllRead([id, other]),
    () => tab.undo(),
    () => tab.merged.get()?.undo(),
  ];
  return randomItem(random, actions) ?? (() => {});
}
