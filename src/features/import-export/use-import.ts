import { useCallback, useEffect, useRef, useState } from 'react';
import { retryAfterSeconds } from '../../api/retry-after.ts';
import { useServices } from '../../context/services.ts';
import { createPresetId } from '../../data/lineup/operations.ts';
import type { Undoable } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { remainingCapacity } from './model/capacity.ts';
import { parseWebAddress } from './model/channel-address.ts';
import {
  addImportedChannels,
  type FailedImport,
  type FolderPreset,
  type ImportedChannel,
  importChannels,
} from './model/import-channels.ts';
import type { OpmlOutline } from './model/opml-parse.ts';
import { findRowByAddress, type ImportExportProps } from './shared.ts';
import { useFeedsApi } from './use-feeds-api.ts';

/** Progress of an import. */
export type ImportState =
  | { readonly type: 'idle' }
  /** `until` is the time when the import continues (unix ms), if the server asked to wait. */
  | {
      readonly type: 'running';
      readonly outline: OpmlOutline;
      readonly done: number;
      readonly total: number;
      readonly until: number | null;
    }
  | { readonly type: 'done'; readonly report: ImportSummary };

export interface ImportSummary {
  readonly added: number;
  /** Number of channels that were already in the line-up. */
  readonly alreadyAdded: number;
  readonly failed: readonly FailedImport[];
  /** Number of outlines that were not tried, because the import was stopped. */
  readonly notTried: number;
}

/** Line-up import: adds the channels of a list one after the other. All of it is one undoable change, however long it takes. */
export function useImport({ rows }: ImportExportProps) {
  const { msg } = useMsg();
  const { dataClient: channels, host } = useServices();
  const presets = useSignalValue(channels.presets);
  const feeds = useFeedsApi();
  const [importing, setImporting] = useState<ImportState>({ type: 'idle' });
  const latest = useRef(rows);
  useEffect(() => {
    latest.current = rows;
  });
  const [done] = useState<Undoable>(() => ({ action: 'follow', channelId: null }));
  const all = useRef({ brought: [] as readonly ImportedChannel[], presets: [] as readonly FolderPreset[], applied: 0, held: 0 });
  const stop = useRef(new AbortController());

  const apply = useCallback(() => {
    const { brought, presets, applied } = all.current;
    if (brought.length === applied) return;
    all.current.applied = brought.length;
    const isNew = ({ channel }: ImportedChannel) => !latest.current.some((row) => row.channel.id === channel.id);
    // Channels that were applied before a wait and those after it form one change.
    if (channels.undoable.get() === done) channels.undo();
    channels.applyLineupOperation(done, addImportedChannels(brought, presets));
    // After the change: a default line-up contains all channels of the directory, so an undo would leave these channels in it.
    for (const { channel } of brought.slice(applied).filter(isNew)) channels.addChannel(channel);
  }, [channels, done]);
  useEffect(
    () => () => {
      stop.current.abort();
      apply();
    },
    [apply],
  );
  const isRunning = importing.type === 'running';
  useEffect(() => {
    if (!isRunning) return;
    host.confirmClosing(true);
    return () => host.confirmClosing(false);
  }, [host, isRunning]);

  const start = async (outlines: readonly OpmlOutline[], folders: readonly string[]) => {
    const total = outlines.length;
    const before = all.current.brought.length;
    const heldBefore = all.current.held;
    const failed: FailedImport[] = [];
    stop.current = new AbortController();
    const { signal } = stop.current;
    if (before === 0)
      all.current.presets = folders.map((name) => ({
        id: presets.find((preset) => preset.name === name)?.id ?? createPresetId(),
        name,
      }));
    const isKnown = (id: string) => latest.current.some((row) => row.channel.id === id);
    const mayAdd = () => {
      const room = remainingCapacity(latest.current);
      const come = all.current.brought.slice(all.current.applied).filter(({ channel }) => !isKnown(channel.id));
      if (Math.min(room.channels, room.feeds) <= come.length)
        throw new Error(msg('Your line-up is full: it holds 1000 channels at most, 200 of them from elsewhere.'));
    };
    await importChannels(outlines, {
      findKnown: (outline) => {
        const row = findRowByAddress(outline.address, latest.current);
        return row === null ? null : { outline, channel: row.channel, feed: row.entry.feed };
      },
      async add(outline) {
        mayAdd();
        const address = parseWebAddress(outline.address) ?? outline.address;
        const channel = await feeds.add(address);
        return { outline, channel, feed: channel.elsewhere === true ? address : undefined };
      },
      retryDelaySeconds: retryAfterSeconds,
      async wait(seconds) {
        apply();
        const until = Date.now() + seconds * 1000;
        setImporting((now) => (now.type === 'running' ? { ...now, until } : now));
        await delay(seconds * 1000, signal);
      },
      onStart: (outline, index) => setImporting({ type: 'running', outline, done: index, total, until: null }),
      onImported(brought) {
        const isHeld = latest.current.some((row) => row.channel.id === brought.channel.id && row.followed);
        const isTwice = all.current.brought.some(({ channel }) => channel.id === brought.channel.id);
        if (isHeld || isTwice) all.current.held++;
        all.current.brought = [...all.current.brought, brought];
      },
      onFailed: (not) => failed.push(not),
      signal,
    });
    apply();
    const held = all.current.held - heldBefore;
    const added = all.current.brought.length - before - held;
    const left = total - (added + held + failed.length);
    setImporting({ type: 'done', report: { added, alreadyAdded: held, failed, notTried: left } });
  };
  return {
    importing,
    start: (outlines: readonly OpmlOutline[], folders: readonly string[]) => void start(outlines, folders),
    stop: () => stop.current.abort(),
    /** Number of channels that the import has followed in total. */
    total: () => all.current.brought.length - all.current.held,
    undo() {
      if (channels.undoable.get() === done) channels.undo();
    },
  };
}

/** Waits for a time, or until the signal aborts. */
function delay(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
