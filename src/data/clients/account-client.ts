import type { Reader } from '../../../contract/api.ts';
import type { Inside } from '../context.ts';
import type { Channels } from '../model/client.ts';
import { ACCOUNT } from '../sync/pull.ts';
import { type AreaOptions, createArea } from './create-client.ts';
import { ACTING } from './write-support.ts';

export interface ChannelsOptions extends AreaOptions {
  /** The reader that the launch data names, unverified; null for an anonymous reader. */
  readonly readerId: string | null;
}

/**
 * The area with what the shell tells it. One area belongs to one reader: when another signs in, or the reader signs out, the
 * shell closes it, erases (eraseReader) and makes a new one.
 *
 * An area made with a `readerId` holds its first requests until the shell has called one of the three below, at most 1.5 s;
 * what is kept shows at once. An anonymous area needs none of them. Being back online it hears of by itself.
 */
export interface ChannelsArea extends Channels {
  /** For what follows the server's events. */
  readonly inside: Inside;
  /** After a sign-in (also each later one): sends what waits, hands over the anonymous device's state once, reads anew. */
  signedIn(user: Reader): void;
  /** A sign-in failed, or there will be none: goes on with what is kept and with public answers. */
  signInFailed(): void;
  /** A token of this reader was stored before (a reload): asks the server who it is. */
  resume(): void;
}

/** Makes the data area of one reader at one API. Nothing is asked for until something is shown. */
export function createChannels(options: ChannelsOptions): ChannelsArea {
  return createArea(options, options.readerId, ACTING, ACCOUNT);
}
