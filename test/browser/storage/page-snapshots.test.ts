// Page snapshots in the storage of a reader.

import { expect } from '@open-wc/testing';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import { deletePageSnapshot, readPageSnapshot, storePageSnapshot } from '../../../src/storage/page-snapshots.ts';

const PATHS = Array.from({ length: 12 }, (_, index) => `/channel/${index + 10}`);

describe('page snapshots in the storage', () => {
  it('are those of the last ten pages', async () => {
    const storage = createMemoryStorage();
    for (const path of PATHS) await storePageSnapshot(storage, null, path, path);
    const expected = PATHS.slice(2).map((path) => `snapshot/${path}`);
    expect(await storage.reader.keys('snapshot/')).to.have.members(expected);
    expect(await readPageSnapshot(storage, '/channel/12')).to.equal('/channel/12');
    await storePageSnapshot(storage, null, '/channel/12', 'newer');
    await storePageSnapshot(storage, null, '/main', '{}');
    expect(await readPageSnapshot(storage, '/channel/12')).to.equal('newer');
    expect(await readPageSnapshot(storage, '/channel/13')).to.equal(null);
    await deletePageSnapshot(storage, '/main');
    expect(await readPageSnapshot(storage, '/main')).to.equal(null);
  });

  it('are limited also if two tabs store theirs at the same time', async () => {
    const storage = createMemoryStorage();
    await Promise.all(PATHS.map((path) => storePageSnapshot(storage, null, path, path)));
    await storePageSnapshot(storage, null, '/main', '{}');
    expect(await storage.reader.keys('snapshot/')).to.have.length(10);
    expect(await readPageSnapshot(storage, '/main')).to.equal('{}');
  });
});
