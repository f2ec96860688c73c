// A disk of a test's own, which fills up and is mounted read-only without harm to anything else.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Disk {
  readonly folder: string;
  umount(): void;
}

/** Mounts a disk of so many megabytes, where this user may; once it is not needed `umount` takes it away. */
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

/** Takes what is left of the disk. */
export function fillUp(file: string): void {
  for (let bytes = 1 << 20; bytes >= 1; bytes >>= 2)
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes));
    } catch (error) {
      assert.match(String(error), /ENOSPC/);
    }
}

/** Makes a folder and its files refuse every write, also to who has them open already; null where this user or disk cannot. */
export function freeze(folder: string): (() => void) | null {
  const chattr = (how: string) => execFileSync('chattr', ['-R', how, folder], { stdio: 'ignore' });
  try {
    chattr('+i');
  } catch {
    return null;
  }
  return () => void chattr('-i');
}
