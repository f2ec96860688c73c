import { get, type Work } from '../../storage/sql/statements.ts';

/** Places for messages of one second in a row id. */
const SLOTS = 2 ** 20;

/** The lowest row id of a second; row ids walk in the order of dates, so that the search index can too. */
export const firstKey = (date: number): number => Math.max(0, date) * SLOTS;

const slotOf = (channel: string, message: number): number => {
  let hash = message;
  for (let at = 0; at < channel.length; at += 1) hash = (Math.imul(hash, 31) + channel.charCodeAt(at)) | 0;
  return (hash >>> 0) % SLOTS;
};

/** Finds a free row id in the message's second. */
export function* freeKey(channel: string, message: number, date: number): Work<number> {
  const first = slotOf(channel, message);
  for (let step = 0; step < SLOTS; step += 1) {
    const key = firstKey(date) + ((first + step) % SLOTS);
    if (!(yield* get('SELECT id FROM messages WHERE id = ?', key))) return key;
  }
  throw new Error(`More than ${SLOTS} messages are dated ${date}`);
}

/** The highest row id that there is. */
export const LAST_KEY = Number.MAX_SAFE_INTEGER;
