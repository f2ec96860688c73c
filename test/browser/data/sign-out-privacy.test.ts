// Privacy after a sign-out: no data of the reader remains in the storage of the browser.

import { expect } from '@open-wc/testing';
import { openDB } from 'idb';
import { cachePictures } from '../../../src/data/offline/picture-cache.ts';
import type { DeviceStorage } from '../../../src/storage/device-storage.ts';
import { eraseReaderDatabase } from '../../../src/storage/erase.ts';
import {
  closeDataClients,
  lineupActions,
  openDataClient,
  waitForFresh,
  waitForLoaded,
  waitForValue,
  waitUntilStored,
} from './data-client-fixture.ts';
import { FakeServer, makeAccount, makeChannel, makePost } from './fake-server.ts';
import { lockDevice } from './own-device.ts';

/** Returns everything in the storage of this browser that a page can read, as text. */
async function everything(): Promise<string> {
  const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
  for (const { name = '' } of await indexedDB.databases()) {
    const database = await openDB(name);
    for (const store of database.objectStoreNames)
      found.push(JSON.stringify([name, await database.getAllKeys(store), await database.getAll(store)]));
    database.close();
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) found.push(name, request.url, (await (await cache.match(request))?.text()) ?? '');
  }
  return found.join('\n');
}

const PRIVATE_TEXTS = [
  'Behind the door',
  'Closed club',
  'A feed of mine',
  'Written elsewhere',
  'changer-reader-1',
  'picture/9/',
  '"star/',
  '"lineup"',
  '"mark/',
];

const PICTURE = { type: 'photo', messageId: 2, src: `/media/${'a'.repeat(64)}.png`, width: 9, height: 9 } as const;

/** Stores the pictures of the stored posts, with a server that has all of them. */
async function keepAllPictures(storage: Promise<DeviceStorage>): Promise<void> {
  const { fetch } = window;
  window.fetch = async () => new Response('picture', { headers: { 'content-type': 'image/png' } });
  await cachePictures(await storage, { signal: new AbortController().signal, failedUrls: new Set() }, 1000);
  window.fetch = fetch;
}

lockDevice();

describe('the data of a user on the device', () => {
  afterEach(closeDataClients);

  it('contains no private channels, added feeds, line-up, read markers or stars after sign-out', async () => {
    const server = new FakeServer();
    server.channels = [
      makeChannel('1'),
      makeChannel('9', { title: 'Closed club', private: true }),
      makeChannel('e', { title: 'A feed of mine', elsewhere: true }),
    ];
    server.posts = [
      makePost('1', 1, { text: 'For all' }),
      makePost('9', 2, { text: 'Behind the door', media: [PICTURE] }),
      makePost('e', 3, { text: 'Written elsewhere' }),
    ];
    const dataClient = openDataClient(server, makeAccount('1'));
    await waitForFresh(dataClient.lineup);
    for (const id of ['1', '9', 'e']) {
      await waitForLoaded(dataClient.posts(id, {}));
      await waitForFresh(dataClient.channel(id));
    }
    await waitForLoaded(dataClient.feed({}));
    lineupActions(dataClient).follow('1', false);
    dataClient.star(makePost('1', 1), true);
    dataClient.markRead('9', 2);
    await waitForValue(dataClient.syncStatus, ({ type }) => type === 'saved', 'to be saved');
    for (const key of ['post/9/0000000000000002', 'post/e/0000000000000003', 'star/1/1', 'mark/9', 'lineup', 'channel/e'])
      await waitUntilStored('changer-reader-1', key);
    await waitUntilStored('changer-public', 'post/1/0000000000000001');
    await keepAllPictures(dataClient.context.offline.storage);
    const before = await everything();
    expect(PRIVATE_TEXTS.filter((text) => !before.includes(text))).to.deep.equal([]);

    dataClient.close();
    await eraseReaderDatabase('1');
    const after = await everything();
    expect(after).to.contain('For all');
    expect(PRIVATE_TEXTS.filter((text) => after.includes(text))).to.deep.equal([]);
  });
});
