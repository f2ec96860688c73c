import type { Reader } from '../../../contract/api.ts';
import type { DataContext } from '../context.ts';
import type { DataClient } from '../model/client.ts';
import { accountSupport } from '../sync/pull.ts';
import { createDataClient, type DataClientOptions } from './create-client.ts';
import { writeSupport } from './write-support.ts';

export interface AccountClientOptions extends DataClientOptions {
  /** The reader's id from the launch data, unverified; null for an anonymous reader. */
  readonly readerId: string | null;
}

/**
 * Data layer of one reader's account, with the sign-in events that the app reports to it. When another reader signs in, or
 * the reader signs out, the app closes it, deletes its data (`eraseReaderDatabase`) and creates a new one.
 *
 * With a `readerId`, the first requests wait until the app has called one of the three methods below, at most 1.5 s. Stored
 * data is shown at once. An anonymous data layer needs none of these calls. It detects by itself when the network is back.
 */
export interface DataClientControl extends DataClient {
  /** Internals for the module that applies the server's events. */
  readonly context: DataContext;
  /**
   * Called after each sign-in: sends pending changes, merges the anonymous state of the device into the account once, and
   * refetches.
   */
  signedIn(user: Reader): void;
  /** Called when a sign-in failed, or when there will be none: continues with stored data and public responses. */
  signInFailed(): void;
  /** Called after a reload, when a token of this reader is already stored: requests the reader's identity from the server. */
  resume(): void;
}

/** Creates the data layer of one reader at one API. It sends no request until something is shown. */
export function createAccountClient(options: AccountClientOptions): DataClientControl {
  return createDataClient(options, options.readerId, writeSupport, accountSupport);
}
