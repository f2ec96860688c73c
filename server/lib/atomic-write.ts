import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Atomic write: other processes see the complete file or none, also when several processes write it at the same time. */
export function writeFileAtomic(place: string, body: string | Uint8Array): void {
  const beside = `${place}.${process.pid}`;
  try {
    writeFileSync(beside, body);
    renameSync(beside, place);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
