// Backup and restore: damaged, incomplete and unsuitable backups are rejected.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { saveMediaFile } from '../../../server/media/save-file.ts';
import { openStore } from '../../../server/storage/open.ts';
import { openSqliteDatabase } from '../../../server/storage/sqlite/connection.ts';
import { SQLITE_MIGRATIONS } from '../../../server/storage/sqlite/migrations.ts';
import { noPostgres, startPostgres } from '../../support/postgres.ts';
import { smallDisk } from '../../support/small-disk.ts';
import { ALL, channel, message } from '../storage/conformance.ts';
import { crashTargetOf, KINDS } from '../storage/crash-writes.ts';
import { makeFolder } from '../support/make-app.ts';
import { modesIn, runProgram } from './backup-commands.ts';

/** Cleanup functions, normally run after a test. Here they run after all tests of the file. */
const cleanups: (() => void)[] = [];
const home = makeFolder({
  after: (cleanup: unknown) => void (typeof cleanup === 'function' && cleanups.push(() => void cleanup())),
});
after(() => {
  for (const end of cleanups) end();
});
const [data, validBackup] = [join(home, 'data'), join(home, 'whole')];
let copyCount = 0;

/** Runs a program that must fail with one sentence and change nothing that exists. */
const assertRejected = async (
  name: 'backup' | 'restore',
  location: { dataDir: string; databaseUrl?: string },
  folder: string,
) => {
  const filesAndModes = () => (existsSync(location.dataDir) ? modesIn(location.dataDir) : null);
  const before = filesAndModes();
  const { code, output } = await runProgram(name, location, folder);
  assert.equal(code, 2, output);
  assert.equal(output.split('\n').length, 1, output);
  assert.deepEqual(filesAndModes(), before, 'nothing was changed');
  return output;
};

type Raw = { version: number; files: { path: string; bytes: number; sha256: string }[] };

const manifestOf = (folder: string): Raw => JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));

const changeManifest = (folder: string, change: (manifest: Raw) => void): void => {
  const manifest = manifestOf(folder);
  change(manifest);
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest));
};

const mediaOf = (folder: string): string => manifestOf(folder).files.find(({ path }) => path.startsWith('media/'))?.path ?? '';

const changeByte = (filePath: string, at: number): void => {
  const bytes = readFileSync(filePath);
  bytes.writeUInt8((bytes.readUInt8(at) + 1) % 256, at);
  writeFileSync(filePath, bytes);
};

/** Changes the database of a backup and updates its entry in the manifest. Only deliberate manipulation does both. */
const changeDatabase = (folder: string, change: (filePath: string) => void): void => {
  const filePath = join(folder, 'changer.sqlite');
  change(filePath);
  changeManifest(folder, ({ files }) => {
    const bytes = readFileSync(filePath);
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    files.splice(0, 1, { path: 'changer.sqlite', bytes: bytes.length, sha256 });
  });
};

const changeDatabaseBySql = async (folder: string, sql: string): Promise<void> => {
  const database = await openSqliteDatabase(join(folder, 'changer.sqlite'));
  database.exec(`${sql}; PRAGMA journal_mode = DELETE`);
  database.close();
  changeDatabase(folder, () => {});
};

/** Possible damages of a backup, each with the error that restore must report. */
const DAMAGES: Readonly<Record<string, readonly [(folder: string) => unknown, RegExp]>> = {
  'whose database is cut off': [
    (folder) => truncateSync(join(folder, 'changer.sqlite'), 8192),
    /damaged: changer\.sqlite has 8192 bytes instead of \d+\.$/,
  ],
  'with a byte of its database changed': [
    (folder) => changeByte(join(folder, 'changer.sqlite'), 5000),
    /damaged: changer\.sqlite was changed\.$/,
  ],
  'with a byte of a file changed': [
    (folder) => changeByte(join(folder, mediaOf(folder)), 3),
    /damaged: media\/.+ was changed\.$/,
  ],
  'without one of its files': [(folder) => rmSync(join(folder, mediaOf(folder))), /damaged: media\/.+ is missing\.$/],
  'with a path that leads out of its folder': [
    (folder) =>
      changeManifest(folder, ({ files }) => {
        writeFileSync(join(dirname(folder), 'outside'), 'x');
        files.push({ ...(files[1] ?? { bytes: 0, sha256: '' }), path: '../outside' });
      }),
    /damaged: its manifest\.json is not valid \(\/files\/\d+\/path\)\.$/,
  ],
  'with a path that leads out of one of its subfolders': [
    (folder) =>
      changeManifest(folder, ({ files }) => {
        files.push({ ...(files[1] ?? { bytes: 0, sha256: '' }), path: 'elements/../changer.js' });
      }),
    /damaged: its manifest\.json is not valid/,
  ],
  'with a link in place of a file': [
    (folder) => {
      const filePath = join(folder, mediaOf(folder));
      renameSync(filePath, `${folder}.elsewhere`);
      symlinkSync(`${folder}.elsewhere`, filePath);
    },
    /damaged: media\/.+ is no file but a link or something else\.$/,
  ],
  'with a link in place of a folder': [
    (folder) => {
      renameSync(join(folder, 'media'), `${folder}.media`);
      symlinkSync(`${folder}.media`, join(folder, 'media'));
    },
    /damaged: media\/.+ is no file but a link or something else\.$/,
  ],
  'whose manifest is cut off': [
    (folder) => truncateSync(join(folder, 'manifest.json'), 100),
    /damaged: its manifest\.json is cut off\.$/,
  ],
  'whose manifest names no database': [
    (folder) => changeManifest(folder, (manifest) => manifest.files.shift()),
    /damaged: its manifest\.json is not valid/,
  ],
  'of a newer version of the program': [
    (folder) => changeDatabaseBySql(folder, `PRAGMA user_version = ${SQLITE_MIGRATIONS.length + 1}`),
    /was made by a newer version of this program \(schema \d+, this one knows \d+\)\.$/,
  ],
  'whose database is corrupt': [
    (folder) => changeDatabase(folder, (filePath) => writeFileSync(filePath, readFileSync(filePath).fill(0, 8192, 8500))),
    /damaged: changer\.sqlite: .+\.$/,
  ],
  'with a missing row': [
    (folder) => changeDatabaseBySql(folder, 'DELETE FROM messages'),
    /damaged: messages has 0 rows instead of 1\.$/,
  ],
  'whose database is the target of an unfinished move': [
    (folder) => changeDatabaseBySql(folder, "INSERT INTO facts VALUES ('moving', 'x')"),
    /damaged: changer\.sqlite: a move into it was not finished\.$/,
  ],
  'of an unknown format version': [
    (folder) =>
      changeManifest(folder, (manifest) => {
        manifest.version = 2;
      }),
    /was made by a newer version of this program\.$/,
  ],
  'without a manifest': [(folder) => rmSync(join(folder, 'manifest.json')), /is not a backup: it has no manifest\.json\.$/],
};

before(async () => {
  const store = await openStore({ dataDir: data });
  await store.putChannel(channel('1'));
  await store.putMessages([message('1', 1, { text: 'the only one' })]);
  for (const n of [1, 2]) await KINDS.file.write(crashTargetOf(store, data), n);
  await store.putThumbnailBytes((await store.setting('file 1')) ?? '', 1_000_000);
  await store.close();
  mkdirSync(join(data, 'elements/1.2.3'), { recursive: true });
  writeFileSync(join(data, 'elements/1.2.3/changer-post.js'), 'export {};');
  writeFileSync(join(data, 'elements/ledger.json'), '{"1.2.3":{"since":1,"retired":null}}');
  const { code, output } = await runProgram('backup', { dataDir: data }, validBackup);
  assert.equal(code, 0, output);
});

describe('a restore rejects a backup', () => {
  for (const [title, [damage, sentence]] of Object.entries(DAMAGES))
    it(title, async (t) => {
      const folder = join(makeFolder(t), `${++copyCount}`);
      cpSync(validBackup, folder, { recursive: true });
      await damage(folder);
      assert.match(await assertRejected('restore', { dataDir: join(makeFolder(t), 'data') }, folder), sentence);
    });
});

describe('a restore', () => {
  it('rejects a data directory that contains a store or the remains of one', async (t) => {
    assert.match(
      await assertRejected('restore', { dataDir: data }, validBackup),
      /^There is a store in .+ already: .+ move changer\.sqlite away/,
    );
    const left = makeFolder(t);
    writeFileSync(join(left, 'changer.sqlite-wal'), 'of the store before');
    assert.match(await assertRejected('restore', { dataDir: left }, validBackup), /move changer\.sqlite-wal away/);
  });

  it('restores the tags that sites have pinned, and replaces a stored file that was damaged', async (t) => {
    const dataDir = makeFolder(t);
    const media = mediaOf(validBackup);
    mkdirSync(dirname(join(dataDir, media)), { recursive: true });
    writeFileSync(join(dataDir, media), 'damaged');
    assert.equal((await runProgram('restore', { dataDir }, validBackup)).code, 0);
    for (const path of [media, 'elements/1.2.3/changer-post.js', 'elements/ledger.json'])
      assert.deepEqual(readFileSync(join(dataDir, path)), readFileSync(join(data, path)), path);
  });

  it('counts the bytes of restored files, without the thumbnails, which are generated again', async (t) => {
    const dataDir = makeFolder(t);
    assert.equal((await runProgram('restore', { dataDir }, validBackup)).code, 0);
    const store = await openStore({ dataDir });
    const bytes = await store.storedBytes().finally(() => store.close());
    const media = manifestOf(validBackup).files.filter(({ path }) => path.startsWith('media/'));
    assert.equal(
      bytes,
      media.reduce((sum, file) => sum + file.bytes, 0),
    );
  });

  it('migrates a backup of an older version to the current schema', async (t) => {
    const [older, folder, dataDir] = [makeFolder(t), join(makeFolder(t), 'b'), makeFolder(t)];
    const database = await openSqliteDatabase(join(older, 'changer.sqlite'));
    database.exec(`${SQLITE_MIGRATIONS[0]}; PRAGMA user_version = 1`);
    database.exec("INSERT INTO channels (id, title, source, state, private, demo) VALUES ('1', 'One', 'export', 'live', 0, 0)");
    database.close();
    assert.equal((await runProgram('backup', { dataDir: older }, folder)).code, 0);
    assert.equal((await runProgram('restore', { dataDir }, folder)).code, 0);
    const store = await openStore({ dataDir });
    assert.deepEqual(
      (await store.channels(ALL)).map(({ title }) => title),
      ['One'],
    );
    await store.close();
  });
});

describe('a backup', () => {
  it('rejects a store that a newer version has changed', async (t) => {
    const [newer, folder] = [join(makeFolder(t), 'data'), join(makeFolder(t), 'b')];
    cpSync(data, newer, { recursive: true });
    const database = await openSqliteDatabase(join(newer, 'changer.sqlite'));
    database.exec(`PRAGMA user_version = ${SQLITE_MIGRATIONS.length + 1}`);
    database.close();
    assert.match(await assertRejected('backup', { dataDir: newer }, folder), /newer version/);
    assert.ok(!existsSync(folder));
  });

  it('rejects a target folder that exists, and a data directory without a store', async (t) => {
    assert.match(
      await assertRejected('backup', { dataDir: data }, validBackup),
      /^.+ exists already: a backup needs a new folder\.$/,
    );
    const dataDir = join(makeFolder(t), 'data');
    assert.match(await assertRejected('backup', { dataDir }, join(home, 'none')), /^There is no store in /);
    assert.ok(!existsSync(join(home, 'none')));
  });

  it('leaves nothing on a disk that is too small for it', async (t) => {
    const disk = smallDisk(1);
    if (disk === null) return t.skip('only root may mount a small disk');
    t.after(disk.umount);
    const dataDir = join(makeFolder(t), 'data');
    const store = await openStore({ dataDir });
    await saveMediaFile(Buffer.alloc(2_000_000, 'x'), crashTargetOf(store, dataDir));
    await store.close();
    const { code, output } = await runProgram('backup', { dataDir }, join(disk.folder, 'b'));
    assert.deepEqual([code, output], [1, 'The disk is full.']);
    assert.deepEqual(readdirSync(disk.folder), []);
  });

  it('reports a database error without the URL of the database', { skip: noPostgres() }, async (t) => {
    const server = await startPostgres({ durable: false });
    t.after(() => server.stop());
    const databaseUrl = await server.database();
    const location = { dataDir: join(makeFolder(t), 'data'), databaseUrl };
    assert.match(
      await assertRejected('backup', location, join(home, 'none')),
      /^There is no store in the database of DATABASE_URL\.$/,
    );
    const secret = databaseUrl.replace('changer@', 'changer:secret@').replace(/\/\w+$/, '/nobody');
    const output = await assertRejected('backup', { ...location, databaseUrl: secret }, join(home, 'none'));
    assert.equal(output, 'DATABASE_URL: the database cannot be opened: there is no database with its name.');
  });
});
