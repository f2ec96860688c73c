// Data directory: shared, moved and copied folders, and processes that share a database but not their files.

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { mediaPath } from '../../../server/media/files.ts';
import { checkDataDir } from '../../../server/storage/data-dir.ts';
import { makeFolder } from '../support/make-app.ts';

/** Creates a database that several processes share, with the keys of the files stored for it. */
const makeDatabase = (keys: readonly string[] = []) => {
  const settings = new Map<string, string>();
  return {
    setting: async (name: string) => settings.get(name) ?? null,
    sampleFileKeys: async (limit: number) => keys.slice(0, limit),
    async getOrCreateSetting(name: string, value: string) {
      const stored = settings.get(name) ?? value;
      settings.set(name, stored);
      return stored;
    },
  };
};

describe('the data directory', () => {
  const check = async (dataDir: string, database: ReturnType<typeof makeDatabase>): Promise<readonly string[]> => {
    const lines: string[] = [];
    await checkDataDir(dataDir, database, (line) => void lines.push(line));
    return lines;
  };

  it('can be shared by processes that start together or one after another, and can be moved', async (t) => {
    const [folder, moved] = [makeFolder(t), path.join(makeFolder(t), 'moved')];
    const database = makeDatabase();
    const lines = await Promise.all([check(folder, database), check(folder, database)]);
    assert.deepEqual(lines.flat(), []);
    assert.deepEqual(await check(folder, database), []);
    cpSync(folder, moved, { recursive: true });
    assert.deepEqual(await check(moved, database), []);
  });

  it('is reported, with the solution, if it is not the directory of this database', async (t) => {
    const [one, other] = [makeFolder(t), makeFolder(t)];
    const database = makeDatabase();
    assert.deepEqual(await check(one, database), []);
    const [line = ''] = await check(other, database);
    assert.match(line, /^DATA_DIR: .+ is not the folder with the files of this database: .+ return 404 here\./);
    const [, id = '', file = ''] = /write (\S+) into (.+)\.$/.exec(line) ?? [];
    assert.equal(id, readFileSync(path.join(one, 'folder-id'), 'utf8'));
    writeFileSync(file, `${id}\n`);
    assert.deepEqual(await check(other, database), []);
  });

  it('is recognized by its files if it was copied without its id', async (t) => {
    const [folder, copy] = [makeFolder(t), path.join(makeFolder(t), 'copy')];
    const keys = ['aa11.png', 'bb22.png'];
    for (const key of keys) {
      mkdirSync(path.dirname(mediaPath(folder, key)), { recursive: true });
      writeFileSync(mediaPath(folder, key), key);
    }
    const database = makeDatabase(keys);
    assert.deepEqual(await check(folder, database), []);
    cpSync(folder, copy, { recursive: true });
    rmSync(path.join(copy, 'folder-id'));
    assert.deepEqual(await check(copy, database), []);
    assert.deepEqual(await check(folder, database), []);

    const other = makeFolder(t);
    mkdirSync(path.dirname(mediaPath(other, 'aa11.png')), { recursive: true });
    writeFileSync(mediaPath(other, 'aa11.png'), 'aa11.png');
    assert.equal((await check(other, database)).length, 1, 'a folder that holds only some of the files');
  });
});
