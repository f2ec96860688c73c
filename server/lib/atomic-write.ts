import { renameSync, rmSync, writeFileSync } from 'node:fs';

/**
 * Atomic write: other processes see the complete file or none, also when several processes write it at the same time.
 */
export function writeFileAtomic(filePath: string, body: string | Uint8Array): void {
  const tempPath = `${filePath}.${process.pid}`;
  try {
    writeFileSync(tempPath, body);
    renameSync(tempPath, filePath);
  } catch (error) {
    rmSync(tempPath, { force: true });
    throw error;
  }
}
