import type { Channel } from '../../../../contract/channel.ts';
import type { LineupEntry, Preset } from '../../../../contract/lineup.ts';
import { type RequestFailure, toRequestFailure } from '../../../data/connection/connection.ts';
import { savePreset } from '../../../data/lineup/operations.ts';
import type { LineupOperation } from '../../../data/model/types.ts';
import type { OpmlOutline } from './opml-parse.ts';

/** Result of a successfully imported outline. */
export interface ImportedChannel {
  readonly outline: OpmlOutline;
  readonly channel: Channel;
  /** URL by which the feed was added; undefined for a channel of this site. */
  readonly feed: string | undefined;
}

export interface FailedImport {
  readonly outline: OpmlOutline;
  readonly failure: RequestFailure;
}

export interface ImportHandlers {
  /** Returns the channel that an outline means, if it is known without a request. */
  findKnown(outline: OpmlOutline): ImportedChannel | null;
  add(outline: OpmlOutline): Promise<ImportedChannel>;
  /** Returns the seconds after which the server allows another try; null for another kind of failure. */
  retryDelaySeconds(thrown: unknown): number | null;
  /** Waits, and shows the wait to the reader; resolves early when stopped. */
  wait(seconds: number): Promise<void>;
  /** Called before each outline. */
  onStart(outline: OpmlOutline, index: number): void;
  onImported(imported: ImportedChannel): void;
  onFailed(failure: FailedImport): void;
  readonly signal: AbortSignal;
}

/**
 * Import channels: adds one channel after the other, until stopped. A failure is reported and skipped. If no further channel
 * can be added (no response, or the server accepts no feeds), all remaining outlines fail for the same reason.
 */
export async function importChannels(outlines: readonly OpmlOutline[], handlers: ImportHandlers): Promise<void> {
  const { findKnown, add, retryDelaySeconds, wait, onStart, onImported, onFailed, signal } = handlers;
  for (let at = 0; at < outlines.length && !signal.aborted; ) {
    const outline = outlines[at];
    if (outline === undefined) return;
    onStart(outline, at);
    try {
      const imported = findKnown(outline) ?? (await add(outline));
      onImported(imported);
    } catch (thrown) {
      const seconds = retryDelaySeconds(thrown);
      if (seconds !== null) {
        await wait(seconds);
        continue;
      }
      const failure = toRequestFailure(thrown);
      const isLast = failure.unreachable || failure.status === 403;
      for (const remaining of isLast ? outlines.slice(at) : [outline]) onFailed({ outline: remaining, failure });
      if (isLast) return;
    }
    at++;
  }
}

/** Preset that a folder becomes; `id` is that of the reader's existing preset with this name, otherwise a new one. */
export type FolderPreset = Pick<Preset, 'id' | 'name'>;

/**
 * Returns the change that follows all imported channels, in order, at the end of the line-up, and adds the channels of each
 * folder to its preset.
 */
export const addImportedChannels =
  (imported: readonly ImportedChannel[], presets: readonly FolderPreset[]): LineupOperation =>
  (contents, now) => {
    const feeds = new Map(imported.map(({ channel, feed }) => [channel.id, feed]));
    const known = new Set(contents.entries.map(({ channelId }) => channelId));
    const added = [...feeds.keys()].filter((id) => !known.has(id));
    const newEntries = added.map((channelId): LineupEntry => ({ channelId, followed: false }));
    const entries = [...contents.entries, ...newEntries].map((entry) => {
      const feed = feeds.get(entry.channelId) ?? entry.feed;
      const isSame = !feeds.has(entry.channelId) || (entry.followed !== false && feed === entry.feed);
      return isSame ? entry : { ...entry, followed: true, ...(feed !== undefined && { feed }), changed: now };
    });
    const isSame = newEntries.length === 0 && entries.every((entry, index) => entry === contents.entries[index]);
    return presets.reduce(
      (before, { id, name }) => {
        const previousIds = before.presets?.find((preset) => preset.id === id && preset.removed !== true)?.channelIds ?? [];
        const named = imported.filter(({ outline }) => outline.folders.includes(name)).map(({ channel }) => channel.id);
        const channelIds = [...new Set([...previousIds, ...named])];
        return channelIds.length === previousIds.length ? before : savePreset({ id, name, channelIds })(before, now);
      },
      isSame ? contents : { ...contents, entries },
    );
  };
