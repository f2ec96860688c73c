import { constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** Reads what former starts wrote down of each name, as JSON; of a torn ledger nothing, so that what it tells of only stays longer. */
export function readLedger<Entry extends TSchema>(place: string, entry: Entry): Readonly<Record<string, Static<Entry>>> {
  if (!existsSync(place)) return {};
  const raw: unknown = parse(readFileSync(place, 'utf8'));
  return Value.Check(Type.Record(Type.String(), entry), raw) ? raw : {};
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes a file that others see whole or not at all, also where several processes write it at once. */
export function writeWhole(place: string, body: string | Uint8Array): void {
  const beside = `${place}.${process.pid}`;
  try {
    writeFileSync(beside, body);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Bytes without which nothing new can be kept for long. */
const ROOM = 16 * 1024 * 1024;

/** Throws where a folder cannot be written to, or has no room left. */
export async function requireRoom(folder: string): Promise<void> {
  await access(folder, constants.W_OK);
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < ROOM) throw new Error(`${folder} is full.`);
}
