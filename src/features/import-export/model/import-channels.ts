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

/** An outline that was not imported, and the reason. */
export interface FailedImport {
  readonly outline: OpmlOutline;
  readonly failure: RequestFailure;
}

/** Requests, state and callbacks of an import. */
export interface ImportHandlers {
  /** Returns the channel of an outline if it is known without a request, otherwise null. */
  findKnown(outline: OpmlOutline): ImportedChannel | null;
  /** Adds the channel of an outline by a request; rejects if the server does not accept it. */
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

/** HTTP status of a server that accepts no feeds from this reader. */
const FORBIDDEN = 403;

/**
 * Import channels: adds one channel after the other, until stopped. A failure is reported and skipped. If no further
 * channel can be added (no response, or the server accepts no feeds), all remaining outlines fail for the same reason.
 */
export async function importChannels(outlines: readonly OpmlOutline[], handlers: ImportHandlers): Promise<void> {
  const { findKnown, add, retryDelaySeconds, wait, onStart, onImported, onFailed, signal } = handlers;
  // A loop without an increment in its head: after a wait, the same outline is tried again.
  for (let index = 0; index < outlines.length && !signal.aborted; ) {
    const outline = outlines[index];
    if (outline === undefined) return;
    onStart(outline, index);
    try {
      const imported = findKnown(outline) ?? (await add(outline));
      onImported(imported);
    } catch (thrown) {
      const delaySeconds = retryDelaySeconds(thrown);
      if (delaySeconds !== null) {
        await wait(delaySeconds);
        continue;
      }
      const failure = toRequestFailure(thrown);
      const isFinal = failure.unreachable || failure.status === FORBIDDEN;
      for (const remaining of isFinal ? outlines.slice(index) : [outline]) onFailed({ outline: remaining, failure });
      if (isFinal) return;
    }
    index++;
  }
}

/** Preset that a folder becomes; `id` is that of the reader's existing preset with this name, otherwise a new one. */
export type FolderPreset = Pick<Preset, 'id' | 'name'>;

/**
 * Returns the change that follows all imported channels, in order, at the end of the line-up, and adds the channels of
 * each folder to its preset. The change returns the same object if the line-up has all of it already.
 */
export const addImportedChannels =
  (imported: readonly ImportedChannel[], presets: readonly FolderPreset[]): LineupOperation =>
  (contents, now) => {
    const feedByChannelId = new Map(imported.map(({ channel, feed }) => [channel.id, feed]));
    const knownIds = new Set(contents.entries.map(({ channelId }) => channelId));
    const addedIds = [...feedByChannelId.keys()].filter((id) => !knownIds.has(id));
    const newEntries = addedIds.map((channelId): LineupEntry => ({ channelId, followed: false }));
    const entries = [...contents.entries, ...newEntries].map((entry) => {
      const feed = feedByChannelId.get(entry.channelId) ?? entry.feed;
      const isImported = feedByChannelId.has(entry.channelId);
      const isUnchanged = !isImported || (entry.followed !== false && feed === entry.feed);
      return isUnchanged ? entry : { ...entry, followed: true, ...(feed !== undefined && { feed }), changed: now };
    });
    const hasSameEntries = newEntries.length === 0 && entries.every((entry, index) => entry === contents.entries[index]);
    return presets.reduce(
      (current, { id, name }) => {
        const previousIds = current.presets?.find((preset) => preset.id === id && preset.removed !== true)?.channelIds ?? [];
        const folderIds = imported.filter(({ outline }) => outline.folders.includes(name)).map(({ channel }) => channel.id);
        const channelIds = [...new Set([...previousIds, ...folderIds])];
        return channelIds.length === previousIds.length ? current : savePreset({ id, name, channelIds })(current, now);
      },
      hasSameEntries ? contents : { ...contents, entries },
    );
  };
