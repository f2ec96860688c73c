import type { Channel } from '../../../../contract/channel.ts';
import type { LineupEntry, Preset } from '../../../../contract/lineup.ts';
import { type Failure, failureOf } from '../../../data/connection/connection.ts';
import { keepPreset } from '../../../data/lineup/operations.ts';
import type { Arrangement } from '../../../data/model/types.ts';
import type { Outline } from './opml-parse.ts';

/** What came of an outline. */
export interface Brought {
  readonly outline: Outline;
  readonly channel: Channel;
  /** The address by which it was added, where it came from elsewhere. */
  readonly feed: string | undefined;
}

export interface NotBrought {
  readonly outline: Outline;
  readonly failure: Failure;
}

export interface Bringing {
  /** The channel that an outline means, where that is known without asking. */
  find(outline: Outline): Brought | null;
  add(outline: Outline): Promise<Brought>;
  /** Seconds after which the server lets another try, null where the failure is another one. */
  patience(thrown: unknown): number | null;
  /** Waits where the reader sees it; ends early when stopped. */
  wait(seconds: number): Promise<void>;
  /** Told before each outline. */
  begins(outline: Outline, index: number): void;
  came(brought: Brought): void;
  failed(not: NotBrought): void;
  readonly signal: AbortSignal;
}

/**
 * Brings in one channel after the other, until stopped. One that fails is told and left; where none can come any more (no
 * answer, or the server takes no feeds), all that are left have failed for the same reason.
 */
export async function bringIn(outlines: readonly Outline[], bringing: Bringing): Promise<void> {
  const { find, add, patience, wait, begins, came, failed, signal } = bringing;
  for (let at = 0; at < outlines.length && !signal.aborted; ) {
    const outline = outlines[at];
    if (outline === undefined) return;
    begins(outline, at);
    try {
      const brought = find(outline) ?? (await add(outline));
      came(brought);
    } catch (thrown) {
      const seconds = patience(thrown);
      if (seconds !== null) {
        await wait(seconds);
        continue;
      }
      const failure = failureOf(thrown);
      const isLast = failure.unheard || failure.status === 403;
      for (const left of isLast ? outlines.slice(at) : [outline]) failed({ outline: left, failure });
      if (isLast) return;
    }
    at++;
  }
}

/** A preset that a folder becomes; `id` is that of the reader's own one of this name, else a new one. */
export type FolderPreset = Pick<Preset, 'id' | 'name'>;

/** Follows all that came, in its order at the line-up's end, and adds to the presets what their folders had. */
export const broughtIn =
  (brought: readonly Brought[], presets: readonly FolderPreset[]): Arrangement =>
  (contents, now) => {
    const feeds = new Map(brought.map(({ channel, feed }) => [channel.id, feed]));
    const known = new Set(contents.entries.map(({ channelId }) => channelId));
    const added = [...feeds.keys()].filter((id) => !known.has(id));
    const come = added.map((channelId): LineupEntry => ({ channelId, followed: false }));
    const entries = [...contents.entries, ...come].map((entry) => {
      const feed = feeds.get(entry.channelId) ?? entry.feed;
      const isSame = !feeds.has(entry.channelId) || (entry.followed !== false && feed === entry.feed);
      return isSame ? entry : { ...entry, followed: true, ...(feed !== undefined && { feed }), changed: now };
    });
    const isSame = come.length === 0 && entries.every((entry, index) => entry === contents.entries[index]);
    return presets.reduce(
      (before, { id, name }) => {
        const former = before.presets?.find((preset) => preset.id === id && preset.removed !== true)?.channelIds ?? [];
        const named = brought.filter(({ outline }) => outline.folders.includes(name)).map(({ channel }) => channel.id);
        const channelIds = [...new Set([...former, ...named])];
        return channelIds.length === former.length ? before : keepPreset({ id, name, channelIds })(before, now);
      },
      isSame ? contents : { ...contents, entries },
    );
  };
