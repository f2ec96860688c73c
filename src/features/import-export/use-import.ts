import { useEffect, useRef, useState } from 'react';
import type { Preset } from '../../../contract/lineup.ts';
import { retryAfterSeconds } from '../../api/retry-after.ts';
import { useServices } from '../../context/services.ts';
import { createPresetId } from '../../data/lineup/operations.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { Host } from '../../platform/platform.ts';
import { ImportedChannels } from './imported-channels.ts';
import { parseWebAddress } from './model/channel-address.ts';
import { type FailedImport, type FolderPreset, importChannels } from './model/import-channels.ts';
import type { OpmlOutline } from './model/opml-parse.ts';
import { findRowByAddress, type ImportExportProps } from './shared.ts';
import { useFeedsApi } from './use-feeds-api.ts';

/** Progress of an import. */
export type ImportState =
  | { readonly type: 'idle' }
  /** `resumesAt` is the time when the import continues (unix ms), if the server asked to wait. */
  | {
      readonly type: 'running';
      readonly outline: OpmlOutline;
      readonly done: number;
      readonly total: number;
      readonly resumesAt: number | null;
    }
  | { readonly type: 'done'; readonly report: ImportSummary };

/** Result of an import. */
export interface ImportSummary {
  readonly added: number;
  /** Number of channels that were already in the line-up. */
  readonly alreadyAdded: number;
  readonly failed: readonly FailedImport[];
  /** Number of outlines that were not tried, because the import was stopped. */
  readonly notTried: number;
}

/** Line-up import: adds the channels of a list one after the other. The complete import is one undoable change. */
export function useImport({ rows }: ImportExportProps) {
  const { msg } = useMsg();
  const { dataClient, host } = useServices();
  const presets = useSignalValue(dataClient.presets);
  const feeds = useFeedsApi();
  const [importing, setImporting] = useState<ImportState>({ type: 'idle' });
  const latestRows = useRef(rows);
  useEffect(() => {
    latestRows.current = rows;
  });
  const [imported] = useState(() => new ImportedChannels(() => latestRows.current));
  const abortController = useRef(new AbortController());
  // When the sheet closes, the import stops, and the channels added until then stay.
  useEffect(
    () => () => {
      abortController.current.abort();
      imported.applyTo(dataClient);
    },
    [imported, dataClient],
  );
  useClosingConfirmation(host, importing.type === 'running');

  const start = async (outlines: readonly OpmlOutline[], folders?: readonly string[]) => {
    const total = outlines.length;
    const { count: countBefore, alreadyAddedCount: alreadyAddedBefore } = imported;
    const failed: FailedImport[] = [];
    abortController.current = new AbortController();
    const { signal } = abortController.current;
    if (folders !== undefined) imported.setPresets(folders.map((name) => toFolderPreset(name, presets)));
    await importChannels(outlines, {
      findKnown: (outline) => {
        const row = findRowByAddress(outline.address, latestRows.current);
        return row === null ? null : { outline, channel: row.channel, feed: row.entry.feed };
      },
      async add(outline) {
        if (!imported.hasCapacity())
          throw new Error(msg('Your line-up is full: it holds 1000 channels at most, 200 of them from elsewhere.'));
        const address = parseWebAddress(outline.address) ?? outline.address;
        const channel = await feeds.add(address);
        return { outline, channel, feed: channel.elsewhere === true ? address : undefined };
      },
      retryDelaySeconds: retryAfterSeconds,
      async wait(seconds) {
        imported.applyTo(dataClient);
        const resumesAt = Date.now() + seconds * 1000;
        setImporting((current) => (current.type === 'running' ? { ...current, resumesAt } : current));
        await delay(seconds * 1000, signal);
      },
      onStart: (outline, index) => setImporting({ type: 'running', outline, done: index, total, resumesAt: null }),
      onImported: (channel) => imported.add(channel),
      onFailed: (failure) => failed.push(failure),
      signal,
    });
    imported.applyTo(dataClient);
    const alreadyAdded = imported.alreadyAddedCount - alreadyAddedBefore;
    const added = imported.count - countBefore - alreadyAdded;
    const notTried = total - (added + alreadyAdded + failed.length);
    setImporting({ type: 'done', report: { added, alreadyAdded, failed, notTried } });
  };
  return {
    importing,
    /** Starts the import. `folders` become presets; without it, the folders of the previous run do. */
    start: (outlines: readonly OpmlOutline[], folders?: readonly string[]) => void start(outlines, folders),
    stop: () => abortController.current.abort(),
    /** Number of channels that the import has followed in total. */
    total: () => imported.count - imported.alreadyAddedCount,
    undo: () => imported.undo(dataClient),
  };
}

/** Requests a confirmation by the container before it closes during the import. */
function useClosingConfirmation(host: Host, isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    host.confirmClosing(true);
    return () => host.confirmClosing(false);
  }, [host, isRunning]);
}

/** Returns the preset that a folder becomes: the existing one of this name, or a new one. */
const toFolderPreset = (name: string, presets: readonly Preset[]): FolderPreset => ({
  id: presets.find((preset) => preset.name === name)?.id ?? createPresetId(),
  name,
});

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
