import type { DataClient } from '../../data/model/client.ts';
import type { LineupRow, Undoable } from '../../data/model/types.ts';
import { remainingCapacity } from './model/capacity.ts';
import { addImportedChannels, type FolderPreset, type ImportedChannel } from './model/import-channels.ts';

/** Imported channels: collects the channels of an import, and adds them to the line-up as one undoable change. */
export class ImportedChannels {
  readonly #change: Undoable = { action: 'follow', channelId: null };
  readonly #rows: () => readonly LineupRow[];
  #channels: readonly ImportedChannel[] = [];
  #presets: readonly FolderPreset[] = [];
  #appliedCount = 0;
  #alreadyAddedCount = 0;

  /** `rows` returns the current rows of the line-up. */
  constructor(rows: () => readonly LineupRow[]) {
    this.#rows = rows;
  }

  /** Number of imported channels, including those that were already in the line-up. */
  get count(): number {
    return this.#channels.length;
  }

  get alreadyAddedCount(): number {
    return this.#alreadyAddedCount;
  }

  /** Sets the presets that folders become. */
  setPresets(presets: readonly FolderPreset[]): void {
    this.#presets = presets;
  }

  add(imported: ImportedChannel): void {
    const { id } = imported.channel;
    const isFollowed = this.#rows().some((row) => row.channel.id === id && row.followed);
    const isRepeated = this.#channels.some(({ channel }) => channel.id === id);
    if (isFollowed || isRepeated) this.#alreadyAddedCount++;
    this.#channels = [...this.#channels, imported];
  }

  /** Returns true if the line-up can take one more channel, and one more feed, after those that are not applied yet. */
  hasCapacity(): boolean {
    const remaining = remainingCapacity(this.#rows());
    const pending = this.#channels.slice(this.#appliedCount).filter(this.#isNew);
    return Math.min(remaining.channels, remaining.feeds) > pending.length;
  }

  /**
   * Applies the channels that were added since the last call. If its previous change is still the last one of the
   * line-up, it is undone and repeated with all channels, so that the import remains one undoable change.
   */
  applyTo(client: DataClient): void {
    const previousCount = this.#appliedCount;
    if (this.#channels.length === previousCount) return;
    this.#appliedCount = this.#channels.length;
    this.undo(client);
    client.applyLineupOperation(this.#change, addImportedChannels(this.#channels, this.#presets));
    // Only after the change: a default line-up contains all channels of the directory. If they were added before, an
    // undo would leave these channels in the line-up.
    for (const { channel } of this.#channels.slice(previousCount).filter(this.#isNew)) client.addChannel(channel);
  }

  /** Undoes the change; does nothing if it is not the last change of the line-up. */
  undo(client: DataClient): void {
    if (client.undoable.get() === this.#change) client.undo();
  }

  /** Returns true if the line-up has no row of the channel. */
  readonly #isNew = ({ channel }: ImportedChannel): boolean => !this.#rows().some((row) => row.channel.id === channel.id);
}
