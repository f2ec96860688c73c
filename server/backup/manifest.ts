// Backup manifest: a backup is a folder with `changer.sqlite` (also if the store was in PostgreSQL), the files that it names
// under `media/`, the pinned tags under `elements/`, and `manifest.json`, which lists the size and hash of each file. A backup is
// complete or does not exist: see `create.ts`.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { FILE } from '../storage/open.ts';
import { examine, KNOWN_VERSION } from '../storage/sqlite/backup.ts';
import { Refused } from '../storage/transfer/tables.ts';

export const MANIFEST = 'manifest.json';

/** Only paths of this form are accepted, so no path leads out of the folder. */
const MEDIA = 'media/[0-9a-f]{2}/[0-9a-f]{64}\\.[a-z0-9]{1,8}';
const ELEMENTS = 'elements/(?!\\.+/)[\\w.-]+/[\\w-]+\\.js|elements/ledger\\.json';

const Part = Type.Object({
  path: Type.String({ pattern: `^(changer\\.sqlite|${MEDIA}|${ELEMENTS})$` }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
});

/** A file of a backup; `path` is relative to its folder. */
export type Part = Static<typeof Part>;

const Manifest = Type.Object({
  /** Version of the backup format. */
  version: Type.Literal(1),
  /** Time of the store's snapshot, such as 2026-11-22T10:00:00.000Z. */
  made: Type.String(),
  /** Schema version of `changer.sqlite`. */
  schema: Type.Integer(),
  rows: Type.Record(Type.String(), Type.Integer()),
  files: Type.Array(Part),
  /** Stored files that the store names and that were missing at the time of the backup, or did not match their names. */
  missing: Type.Array(Type.String()),
});

/** Manifest of a backup. */
export type Manifest = Static<typeof Manifest>;

/** Returns whether a path is allowed in a backup. */
export const isPath = (path: string): boolean => Value.Check(Part.properties.path, path);

/** Measures a file's length and hash. */
export const measure = async (place: string): Promise<Omit<Part, 'path'>> => {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(place, { highWaterMark: 256 * 1024 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest('hex') };
};

const read = async (folder: string): Promise<Manifest> => {
  const body = await readFile(join(folder, MANIFEST), 'utf8').catch(() => {
    throw new Refused(`${folder} is no backup: it has no ${MANIFEST}.`);
  });
  let raw: unknown;
  try {
    raw = JSON.parse(body);
  } catch {
    throw new Refused(`The backup ${folder} is damaged: its ${MANIFEST} is cut off.`);
  }
  if (typeof raw === 'object' && raw !== null && 'version' in raw && typeof raw.version === 'number' && raw.version > 1)
    throw new Refused(`The backup ${folder} was made by a newer version of this program.`);
  if (Value.Check(Manifest, raw) && raw.files.some(({ path }) => path === FILE)) return raw;
  const [first] = Value.Errors(Manifest, raw);
  throw new Refused(`The backup ${folder} is damaged: its ${MANIFEST} is not as it should be (${first?.instancePath ?? ''}).`);
};

/** Returns the fault of a file; null for none. A symbolic link in the folder leads to content that is not in the backup. */
const faultOf = async (folder: string, { path, bytes, sha256 }: Part): Promise<string | null> => {
  const place = join(folder, path);
  const found = await lstat(place).catch(() => null);
  if (found === null) return 'is missing';
  if (!found.isFile() || (await realpath(place)) !== place) return 'is no file but a link or something else';
  if (found.size !== bytes) return `has ${found.size} bytes instead of ${bytes}`;
  return (await measure(place)).sha256 === sha256 ? null : 'was changed';
};

/** Returns the manifest of a backup after verifying every file and every row against it. Throws `Refused` otherwise. */
export const verify = async (folder: string): Promise<Manifest> => {
  const manifest = await read(folder);
  const real = await realpath(folder);
  for (const part of manifest.files) {
    const fault = await faultOf(real, part);
    if (fault !== null) throw new Refused(`The backup ${folder} is damaged: ${part.path} ${fault}.`);
  }
  const { fault, version, rows } = await examine(join(real, FILE));
  if (version > KNOWN_VERSION)
    throw new Refused(
      `The backup ${folder} was made by a newer version of this program (schema ${version}, this one knows ${KNOWN_VERSION}).`,
    );
  if (fault !== null) throw new Refused(`The backup ${folder} is damaged: ${FILE}: ${fault}.`);
  const wrong = Object.keys(manifest.rows).find((table) => rows[table] !== manifest.rows[table]);
  if (wrong !== undefined)
    throw new Refused(
      `The backup ${folder} is damaged: ${wrong} has ${rows[wrong] ?? 0} rows instead of ${manifest.rows[wrong]}.`,
    );
  return manifest;
};
