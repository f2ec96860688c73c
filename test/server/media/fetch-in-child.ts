// Process that fetches media until it is killed: node --import tsx test/server/media/fetch-in-child.ts <dataDir> <root> <token>

import { DOWNLOAD_LIMITS } from '../../../server/media/download.ts';
import { createDownloadQueue } from '../../../server/media/download-queue.ts';
import { createFolderMediaStore } from '../../../server/media/folder-media-store.ts';
import { createBotApi } from '../../../server/sources/telegram/client.ts';
import { createBotFileSource } from '../../../server/sources/telegram/file-source.ts';
import { openStore } from '../../../server/storage/open.ts';

const [dataDir = '', botApiRoot = '', botToken = ''] = process.argv.slice(2);
const store = await openStore({ dataDir });
const source = createBotFileSource(createBotApi({ botToken, botApiRoot }), null);
const limits = { ...DOWNLOAD_LIMITS, fileBytes: 2 ** 30, quota: 0, freeBytes: 0, leaseMs: 500 };
const mediaStore = createFolderMediaStore(dataDir);
createDownloadQueue({ store, mediaStore, source, limits, now: Date.now, log: console.error }).start();
setInterval(() => {}, 1000);
