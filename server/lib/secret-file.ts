import { readFileSync, statSync } from 'node:fs';

/** Result of reading a secret from a file: its content, or the fault as the end of a sentence about the file. */
export type SecretFile = { readonly content: string } | { readonly fault: string };

/** Maximum size of a file with a secret, bytes. A larger file is the wrong file. */
const MAX_SECRET_BYTES = 64 * 1024;

const FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  ENOTDIR: 'does not exist',
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
};

/**
 * Reads a secret that a container platform or a service manager stores in a file. One newline at its end is removed,
 * because editors and `echo` add it. A fault never contains the content or the path: a secret may be in the place of the
 * path by mistake.
 */
export function readSecretFile(file: string): SecretFile {
  try {
    const stats = statSync(file);
    if (!stats.isFile()) return { fault: 'is not a regular file' };
    if (stats.size > MAX_SECRET_BYTES) return { fault: `is larger than ${MAX_SECRET_BYTES / 1024} kB` };
    const content = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
    return content.trim() === '' ? { fault: 'is empty' } : { content };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { fault: FAULTS[code] ?? `cannot be read${code && ` (${code})`}` };
  }
}
