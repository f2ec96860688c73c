import { renameSync, rmSync, writeFileSync } from 'node:fs';

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
