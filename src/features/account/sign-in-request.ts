import { parseLaunchData } from '../../../contract/launch-data.ts';
import { readDeviceState } from '../../data/mutations/user-state-storage.ts';
import { KNOWN_READERS_KEY } from '../../lib/storage-keys.ts';
import { createStoredValue } from '../../lib/web-storage.ts';
import { openDeviceStorage } from '../../storage/device-storage.ts';

/** Sign-in request: a sign-in that the reader has to agree to. */
export interface SignInRequest {
  /** First and last name in the launch data, not verified; '' if it contains none. */
  readonly name: string;
  /** True if this device stores data of another reader, which the sign-in erases here. */
  readonly replaces: boolean;
  /** Numbers of items that an anonymous reader left on this device and that the sign-in moves to the account. */
  readonly moved: MovedCounts;
}

export interface MovedCounts {
  readonly stars: number;
  readonly marks: number;
  /** Entries of the line-up. */
  readonly channels: number;
  readonly presets: number;
}

/** Maximum number of readers in the list of known readers. A reader who was removed from it has to agree again. */
const MAX_READERS = 20;

/** Ids of the readers who signed in on this device and did not sign out, separated by commas. */
const knownReaders = createStoredValue('device', KNOWN_READERS_KEY);

const readKnownReaders = (): string[] => (knownReaders.read() ?? '').split(',').filter((id) => id !== '');

/** Stores that a reader signed in on this device. */
export function addKnownReader(id: string): void {
  knownReaders.write([...readKnownReaders().filter((known) => known !== id), id].slice(-MAX_READERS).join(','));
}

export function removeKnownReader(id: string): void {
  const remaining = readKnownReaders().filter((known) => known !== id);
  knownReaders.write(remaining.length === 0 ? null : remaining.join(','));
}

/**
 * Returns what a reader has to agree to before the sign-in; null if the sign-in changes nothing on this device, or if this
 * reader signed in on it before. `lastReader` is the id of the reader whose data this device stores.
 */
export async function createSignInRequest(launchData: string | null, lastReader: string | null): Promise<SignInRequest | null> {
  const launched = parseLaunchData(launchData ?? '');
  if (launched.type === 'malformed') return null;
  const { id, firstName, lastName = '' } = launched.user;
  if (id === lastReader || readKnownReaders().includes(id)) return null;
  const storage = await openDeviceStorage(null);
  const { entries, presets, marks, stars, keptUnread } = await readDeviceState(storage.reader).finally(storage.close);
  const moved = {
    stars: stars.length,
    marks: marks.length + keptUnread.length,
    channels: entries.length,
    presets: presets.length,
  };
  const replaces = lastReader !== null;
  const needsConsent = replaces || Object.values(moved).some((count) => count > 0);
  return needsConsent ? { name: `${firstName} ${lastName}`.trim(), replaces, moved } : null;
}
