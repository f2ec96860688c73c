import type { ChannelChange } from '../domain/model.ts';

/** The store's part of imports, which may be killed amid: what is half there says so, and nobody sees a channel half. */
export interface ImportStore {
  /** Adds or changes a channel that is being imported. One that was not there is in no answer until the import is complete. */
  beginImport(channel: ChannelChange): Promise<void>;
  /** Notes that all of it is there, and tells readers. */
  completeImport(channelId: string): Promise<void>;
  /** The ids of channels whose import has begun and is not complete. */
  brokenImports(): Promise<string[]>;
}
