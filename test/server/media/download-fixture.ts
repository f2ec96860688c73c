// Media fetcher for tests: a store, a Bot API double, and fetchers between them.

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import sharp from 'sharp';
import type { Media } from '../../../contract/post.ts';
import type { FileRef, Message } from '../../../server/domain/model.ts';
import { DOWNLOAD_LIMITS, type DownloadLimits } from '../../../server/media/download.ts';
import { createDownloadQueue, type DownloadQueueDeps } from '../../../server/media/download-queue.ts';
import { createFolderMediaStore } from '../../../server/media/folder-media-store.ts';
import { createBotApi } from '../../../server/sources/telegram/client.ts';
import { createBotFileSource } from '../../../server/sources/telegram/file-source.ts';
import { openStore } from '../../../server/storage/open.ts';
import { startBotApi } from '../../bot-api/bot-api.ts';
import { until } from '../../support/browser.ts';
import { ALL } from '../storage/conformance.ts';
import { channel, makeFolder } from '../support/make-app.ts';

export const SHORT_DELAYS: DownloadLimits = {
  ...DOWNLOAD_LIMITS,
  fileBytes: 20 * 1024 * 1024,
  quota: 0,
  freeBytes: 0,
  spacingMs: 1,
  firstBackOffMs: 5,
  fullPauseMs: 20,
};

/** Creates a store, a Bot API double, and fetchers between them. All are removed after the test. */
export const start = async (t: TestContext, limits: Partial<DownloadLimits> = {}, dataDir = makeFolder(t)) => {
  const telegram = await startBotApi();
  const [store, mediaStore] = [await openStore({ dataDir }), createFolderMediaStore(dataDir)];
  await store.putChannel(channel('1', { source: 'bot' }));
  const bot = createBotApi({ botToken: telegram.token, botApiRoot: telegram.root });
  const lines: string[] = [];
  const fetcher = (more: Partial<DownloadQueueDeps> = {}) => {
    const queue = createDownloadQueue({
      store,
      mediaStore,
      source: createBotFileSource(bot, null),
      limits: { ...SHORT_DELAYS, ...limits },
      now: Date.now,
      log: (line) => void lines.push(line),
      ...more,
    });
    t.after(() => queue.stop());
    return queue;
  };
  t.after(async () => {
    await telegram.close();
    await store.close();
  });
  const mediaOf = async (id: number): Promise<Media | undefined> => (await store.post('1', id, ALL))?.media[0];
  const waitUntilStored = (id: number) =>
    until(async () => (await mediaOf(id))?.src !== undefined, `the file of post ${id} is there`);
  return { telegram, store, mediaStore, dataDir, bot, lines, fetcher, mediaOf, waitUntilStored };
};

type AnnouncedFile = { readonly file_id: string; readonly file_unique_id: string; readonly file_size?: number };

/** Returns a message with one file that the double has announced. */
export const post = (
  id: number,
  { file_id, file_unique_id, file_size }: AnnouncedFile,
  type: Media['type'] = 'photo',
): Message => {
  const ref: FileRef = {
    index: 0,
    part: 'file',
    uniqueId: file_unique_id,
    fileId: file_id,
    ...(file_size === undefined ? {} : { size: file_size }),
  };
  return {
    post: { channelId: '1', id, date: 1000 + id, text: '', entities: [], reactions: [] },
    media: [{ type, messageId: id, missing: 'pending', unique: file_unique_id }],
    source: 'bot',
    modifiedAt: 1000 + id,
    files: [ref],
  };
};

let seed = 0;
/** Returns a unique photo. */
export const photo = (width = 900, height = 600): Promise<Buffer> => {
  seed += 1;
  const background = { r: (seed * 37) % 256, g: (seed * 91) % 256, b: (seed * 53) % 256 };
  return sharp({ create: { width, height, channels: 3, background } })
    .jpeg()
    .toBuffer();
};

/** Returns unique bytes that begin like a video. */
export const videoBytes = (bytes: number): Buffer => {
  seed += 1;
  return Buffer.concat([Buffer.from('\x00\x00\x00\x20ftypisom', 'latin1'), Buffer.alloc(bytes - 12, seed)]);
};

/** Returns the files that are not completely downloaded yet. */
export const incomingFilesOf = (dataDir: string): string[] => readdirSync(join(dataDir, 'media/incoming'));
