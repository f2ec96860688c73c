import type { Position } from './domain/model.ts';
import { Refusal } from './http/errors.ts';

/** Makes the opaque cursor of a place in a list of posts. */
export function cursorOf(position: Position): string {
  return Buffer.from(JSON.stringify([position.date, position.channelId, position.id])).toString('base64url');
}

/** Reads a cursor back; refuses one that we did not make. */
export function readCursor(cursor: string, field: string): Position {
  const place = parse(Buffer.from(cursor, 'base64url').toString());
  if (Array.isArray(place) && place.length === 3) {
    const [date, channelId, id]: unknown[] = place;
    if (Number.isSafeInteger(date) && typeof channelId === 'string' && Number.isSafeInteger(id)) {
      return { date: Number(date), channelId, id: Number(id) };
    }
  }
  throw new Refusal(400, `${field} is not a cursor of this API: take it from the "next" or "previous" of a page.`);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
