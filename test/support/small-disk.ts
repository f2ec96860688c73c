// Small disk for a test: it can fill up or become read-only without harm to anything else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Disk {
  readonly folder: string;
  umount(): void;
}

/** Mounts a disk of this many megabytes; null if this user may not. Call `umount` when it is no longer needed. */
export function smallDisk(megabytes: number): Disk | null {
  const folder = mkdtempSync(join(tmpdir(), 'changer-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch {
    rmdirSync(folder);
    return null;
  }
  const umount = () => {
    execFileSync('umount', ['-l', folder]);
    rmdirSync(folder);
  };
  return { folder, umount };
}

/** Fills the remaining space of the disk. */
export function fillUp(file: string): void {
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 2)
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.match(String(error), /ENOSPC/);
    }
}

/**
 * Freezes a folder and its files, so that they reject every write, even from processes that have them open already. Returns
 * null if this user or disk cannot do that.
 */
export function freeze(folder: string): (() => void) | null {
  const chattr = (how: string) => execFileSync('chattr', ['-R', how, folder], { stdio: 'ignore' });
  try {
    chattr('+i');
  } catch {
    return null;
  }
  return () => void chattr('-i');
}
