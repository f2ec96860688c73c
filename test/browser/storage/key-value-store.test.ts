// Local storage: the key-value stores in IndexedDB and in memory.

import { expect, waitUntil } from '@open-wc/testing';
import { deleteDB, openDB } from 'idb';
import { type DeviceStorage, openDeviceStorage } from '../../../src/storage/device-storage.ts';
import { eraseOtherReaders, eraseReaderDatabase } from '../../../src/storage/erase.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import { lockDevice } from '../data/own-device.ts';

lockDevice();

const names = async (): Promise<string[]> => (await indexedDB.databases()).flatMap(({ name }) => name ?? []);

const openStorages: DeviceStorage[] = [];
async function openStorage(readerId: string | null): Promise<DeviceStorage> {
  const storage = await openDeviceStorage(readerId);
  openStorages.push(storage);
  return storage;
}

async function clean(): Promise<void> {
  for (const storage of openStorages.splice(0)) storage.close();
  for (const name of ['changer-public', 'changer-anonymous', 'changer-reader-1', 'changer-reader-2']) await deleteDB(name);
}

/** Replaces IndexedDB for one test. */
async function withIndexedDB(value: unknown, run: () => Promise<void>): Promise<void> {
  const descriptor = Object.getOwnPropertyDescriptor(window, 'indexedDB');
  Object.defineProperty(window, 'indexedDB', { configurable: true, value });
  try {
    await run();
  } finally {
    if (descriptor !== undefined) Object.defineProperty(window, 'indexedDB', descriptor);
    else Reflect.deleteProperty(window, 'indexedDB');
  }
}

/** Rejects every write until something is deleted. */
async function withFullStorage(run: () => Promise<void>): Promise<void> {
  const { put, delete: drop } = IDBObjectStore.prototype;
  let isFull = true;
  IDBObjectStore.prototype.put = function (...args) {
    if (isFull) throw new DOMException('no room', 'QuotaExceededError');
    return put.apply(this, args);
  };
  IDBObjectStore.prototype.delete = function (...args) {
    isFull = false;
    return drop.apply(this, args);
  };
  try {
    await run();
  } finally {
    Object.assign(IDBObjectStore.prototype, { put, delete: drop });
  }
}

for (const { name, make } of [
  { name: 'a shelf in IndexedDB', make: () => openStorage('1') },
  { name: 'a shelf in memory', make: async () => createMemoryStorage() },
]) {
  describe(name, () => {
    afterEach(clean);

    it('lists the entries with a prefix, in order, or from the end', async () => {
      const { reader } = await make();
      await reader.put([
        ['a/2', 'two'],
        ['a/1', 'one'],
        ['a/3', 'three'],
        ['b', 'other'],
      ]);
      expect(await reader.list('a/')).to.deep.equal([
        ['a/1', 'one'],
        ['a/2', 'two'],
        ['a/3', 'three'],
      ]);
      expect(await reader.list('a/', { last: 2 })).to.deep.equal([
        ['a/3', 'three'],
        ['a/2', 'two'],
      ]);
      expect(await reader.list('a/', { last: 2, below: 'a/3' })).to.deep.equal([
        ['a/2', 'two'],
        ['a/1', 'one'],
      ]);
    });

    it('replaces entries in one transaction', async () => {
      const { reader } = await make();
      await reader.put([
        ['mark/1', 1],
        ['mark/2', 2],
        ['star/1', 1],
      ]);
      await reader.put([['mark/3', 3]], ['mark/', 'none/']);
      expect(await reader.list('')).to.deep.equal([
        ['mark/3', 3],
        ['star/1', 1],
      ]);
    });

    it('updates a value from its previous one, and deletes it when the result is undefined', async () => {
      const { reader } = await make();
      await Promise.all(
        [1, 2, 3].map((step) => reader.update(['sum', (value) => (typeof value === 'number' ? value : 0) + step])),
      );
      expect(await reader.get('sum')).to.equal(6);
      await reader.update(['sum', () => undefined]);
      expect(await reader.get('sum')).to.equal(undefined);
    });

    it('lists the keys with a prefix, deletes by key, and deletes by prefix', async () => {
      const { reader } = await make();
      await reader.put(['1', '2', '3', '4'].map((id) => [`post/${id}`, id] as const));
      await reader.put([['mark', 1]]);
      await reader.deleteMany(['post/1', 'post/3', 'post/9']);
      expect(await reader.keys('post/')).to.deep.equal(['post/2', 'post/4']);
      await reader.deletePrefix('post/');
      expect(await reader.list('')).to.deep.equal([['mark', 1]]);
    });
  });
}

describe('openDeviceStorage', () => {
  afterEach(clean);

  it('keeps data after reopening, separate for each user, and public data for all', async () => {
    const first = await openStorage('1');
    expect(first.persistent.get()).to.equal(true);
    await first.reader.put([['mark', 1]]);
    await first.public.put([['channels', 2]]);
    first.close();
    const second = await openStorage('2');
    expect(await second.reader.get('mark')).to.equal(undefined);
    expect(await second.public.get('channels')).to.equal(2);
    expect(await (await openStorage('1')).reader.get('mark')).to.equal(1);
  });

  it('commits every write as soon as its requests are made, so that the data is stored even if the page closes right after', async () => {
    const { commit } = IDBTransaction.prototype;
    let commits = 0;
    IDBTransaction.prototype.commit = function () {
      commits++;
      commit.apply(this);
    };
    try {
      const { reader } = await openStorage('1');
      await reader.put([['a', 1]]);
      await reader.update(['a', () => 2]);
      await reader.deleteMany(['b']);
      await reader.deletePrefix('c');
      expect(commits).to.equal(4);
      expect(await reader.get('a')).to.equal(2);
    } finally {
      IDBTransaction.prototype.commit = commit;
    }
  });

  it('writes nothing after it is closed', async () => {
    const storage = await openStorage('1');
    storage.close();
    await storage.reader.put([['late', 1]]);
    expect(await storage.reader.get('late')).to.equal(undefined);
    expect(await (await openStorage('1')).reader.get('late')).to.equal(undefined);
  });

  it('writes nothing to a store of the anonymous user that opens after it is closed', async () => {
    const storage = await openStorage('1');
    storage.close();
    const anonymous = await storage.openAnonymous();
    await anonymous.put([['late', 1]]);
    expect(await (await openStorage(null)).reader.get('late')).to.equal(undefined);
  });

  it('erases the data of a user while another tab has the database open', async () => {
    const other = await openStorage('1');
    await other.reader.put([['mark', 1]]);
    await eraseReaderDatabase('1');
    expect(await (await openStorage('1')).reader.get('mark')).to.equal(undefined);
    await other.reader.put([['mark', 2]]);
    expect(await (await openStorage('1')).reader.get('mark')).to.equal(undefined);
  });

  it('erases all data of a user while a tab that does not respond has the database open', async () => {
    const storage = await openStorage('1');
    await storage.reader.put([['mark', 'mine']]);
    storage.close();
    const hanging = await openDB('changer-reader-1');
    await eraseReaderDatabase('1');
    expect(await hanging.count('things')).to.equal(0);
    hanging.close();
    await waitUntil(async () => !(await names()).includes('changer-reader-1'), 'the deletion is done');
  });

  it('creates no database when it erases a user without stored data', async () => {
    await eraseReaderDatabase('2');
    expect(await names()).not.to.include('changer-reader-2');
  });

  it('erases every user but one, also after an interrupted erasure', async () => {
    for (const id of ['1', '2', null]) await (await openStorage(id)).reader.put([['mark', 1]]);
    await eraseOtherReaders('2');
    expect((await names()).filter((name) => name !== 'changer-public').toSorted()).to.deep.equal([
      'changer-anonymous',
      'changer-reader-2',
    ]);
  });

  it('continues in memory when a call fails midway', async () => {
    const storage = await openStorage('1');
    const uncloneable = () => {};
    await storage.reader.put([['thing', uncloneable]]);
    expect(await storage.reader.get('thing')).to.equal(uncloneable);
    expect(storage.persistent.get()).to.equal(false);
  });

  it('continues in memory when a database opens but answers no request', async () => {
    const storage = await openStorage('1');
    await storage.reader.put([['mark', 1]]);
    const other = await openDB('changer-reader-1');
    const { store } = other.transaction('things', 'readwrite');
    let isFrozen = true;
    const freeze = async (): Promise<void> => {
      while (isFrozen) await store.get('mark');
    };
    const frozen = freeze();
    try {
      expect(await storage.reader.get('mark')).to.equal(undefined);
      expect(storage.persistent.get()).to.equal(false);
      await storage.reader.put([['mark', 2]]);
      expect(await storage.reader.get('mark')).to.equal(2);
    } finally {
      isFrozen = false;
      await frozen;
      other.close();
    }
  });

  it('reads and writes a database of a newer version, as far as it is compatible', async () => {
    const newer = await openDB('changer-reader-1', 99, { upgrade: (database) => void database.createObjectStore('things') });
    await newer.put('things', 1, 'mark');
    newer.close();
    const storage = await openStorage('1');
    expect([await storage.reader.get('mark'), storage.persistent.get()]).to.deep.equal([1, true]);
    await storage.reader.put([['mark', 2]]);
    storage.close();
    expect(await (await openStorage('1')).reader.get('mark')).to.equal(2);
  });

  it('frees space when the device is full, and continues in memory when there is none', async () => {
    for (const isSpaceFreed of [true, false]) {
      const storage = await openDeviceStorage('1', async ({ reader }) => {
        if (isSpaceFreed) await reader.deletePrefix('post/');
      });
      openStorages.push(storage);
      await storage.reader.put([['post/1', 1]]);
      await withFullStorage(async () => storage.reader.put([['mark', isSpaceFreed]]));
      expect(await storage.reader.get('mark')).to.equal(isSpaceFreed);
      expect(storage.persistent.get()).to.equal(isSpaceFreed);
      storage.close();
    }
  });

  it('uses memory when IndexedDB is missing, throws or lacks our object store', async () => {
    const throwing = {
      open() {
        throw new DOMException('no', 'SecurityError');
      },
    };
    for (const broken of [undefined, throwing]) {
      await withIndexedDB(broken, async () => {
        const storage = await openDeviceStorage('1');
        expect(storage.persistent.get()).to.equal(false);
        await storage.reader.put([['mark', 1]]);
        expect(await storage.reader.get('mark')).to.equal(1);
        await eraseReaderDatabase('1');
      });
    }
    (await openDB('changer-reader-2', 1)).close();
    const storage = await openStorage('2');
    expect(await storage.reader.get('mark')).to.equal(undefined);
    expect(storage.persistent.get()).to.equal(false);
  });

  it('uses memory when the database does not open within 1 s', async () => {
    const blockingConnection = await openDB('changer-reader-1', 1);
    // The database stays open, so its deletion waits. A connection that is opened meanwhile waits for the deletion.
    const deleted = deleteDB('changer-reader-1');
    const before = performance.now();
    const storage = await openDeviceStorage('1');
    expect(storage.persistent.get()).to.equal(false);
    expect(performance.now() - before).to.be.at.least(900);
    blockingConnection.close();
    await deleted;
  });

  it('uses a database that opens late, and writes the meantime changes over its data', async () => {
    const first = await openStorage('1');
    await first.reader.put([['sum', 1]]);
    first.close();
    const originalOpen = indexedDB.open.bind(indexedDB);
    let letOpen = (): void => {};
    const may = new Promise<void>((resolve) => (letOpen = resolve));
    /** A request whose success event can be delayed. */
    const slow = {
      open(name: string, version: number) {
        const request = originalOpen(name, version);
        const delayedRequest = { result: null as IDBDatabase | null, onsuccess() {}, oncomplete() {} };
        request.onsuccess = () =>
          may.then(() => {
            delayedRequest.result = request.result;
            delayedRequest.onsuccess();
          });
        return delayedRequest;
      },
    };
    await withIndexedDB(slow, async () => {
      const storage = await openDeviceStorage('1');
      openStorages.push(storage);
      expect(storage.persistent.get()).to.equal(false);
      await storage.reader.update(['sum', (value) => Number(value ?? 0) + 10]);
      expect(await storage.reader.get('sum')).to.equal(10);
      letOpen();
      await storage.lateOpen;
      expect(storage.persistent.get()).to.equal(true);
      expect(await storage.reader.get('sum')).to.equal(11);
    });
    expect(await (await openStorage('1')).reader.get('sum')).to.equal(11);
  });
});
