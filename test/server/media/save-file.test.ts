// Storage of media files: names by hash, detection of types, picture metadata, and deletion of abandoned files.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import sharp from 'sharp';
import type { MediaFile } from '../../../server/domain/model.ts';
import { mediaPath } from '../../../server/media/files.ts';
import { createFolderMediaStore } from '../../../server/media/folder-media-store.ts';
import { deleteAbandonedFiles, saveMediaFile } from '../../../server/media/save-file.ts';

const makeStorage = (t: TestContext) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'changer-keep-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const put: MediaFile[] = [];
  return {
    dataDir,
    mediaStore: createFolderMediaStore(dataDir),
    put,
    store: { putMediaFile: async (file: MediaFile) => void put.push(file) },
  };
};

const solid = (background: string, width = 40, height = 20) => sharp({ create: { width, height, channels: 3, background } });

describe('saveMediaFile', () => {
  it('stores complete bytes under their hash, and equal bytes once', async (t) => {
    const storage = makeStorage(t);
    const bytes = await solid('#ff0000').png().toBuffer();
    const file = join(storage.dataDir, 'a.png');
    writeFileSync(file, bytes);
    const saved = await saveMediaFile(bytes, storage);
    assert.equal(saved.file.key, `${createHash('sha256').update(bytes).digest('hex')}.png`);
    assert.deepEqual(await saveMediaFile(file, storage), saved);
    assert.deepEqual(readFileSync(mediaPath(storage.dataDir, saved.file.key)), bytes);
    assert.deepEqual(saved.file, {
      key: saved.file.key,
      mime: 'image/png',
      size: bytes.length,
      width: 40,
      height: 20,
      placeholder: 'ff0000'.repeat(9),
    });
    assert.deepEqual(storage.put, [saved.file, saved.file]);
    assert.deepEqual(readdirSync(join(storage.dataDir, 'media/incoming')), []);
  });

  it('measures a picture as it is displayed, and samples its colours row by row', async (t) => {
    const storage = makeStorage(t);
    const halves = solid('#0000ff', 30, 60).composite([
      { input: await solid('#00ff00', 30, 20).png().toBuffer(), top: 0, left: 0 },
    ]);
    const upsideDown = await halves
      .jpeg({ quality: 100, chromaSubsampling: '4:4:4' })
      .withMetadata({ orientation: 3 })
      .toBuffer();
    const { file } = await saveMediaFile(upsideDown, storage);
    assert.deepEqual([file.width, file.height], [30, 60]);
    const rows = [0, 1, 2].map((row) => Number.parseInt(file.placeholder?.slice(row * 18, row * 18 + 6) ?? '', 16));
    assert.ok((rows[0] ?? 0) < 0x3000ff + 0x100 && (rows[2] ?? 0) >> 8 > 0xc0, JSON.stringify(file.placeholder));
    const rotatedPicture = await solid('#123456', 30, 60).jpeg().withMetadata({ orientation: 6 }).toBuffer();
    const saved = await saveMediaFile(rotatedPicture, storage);
    assert.deepEqual([saved.file.width, saved.file.height], [60, 30]);
  });

  it('returns nine colours for grey, transparent, animated and sixteen-bit pictures', async (t) => {
    const storage = makeStorage(t);
    const pictures = [
      solid('#808080').toColourspace('b-w').png(),
      sharp({ create: { width: 9, height: 9, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } }).webp(),
      solid('#808080').toColourspace('rgb16').png(),
      sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } }).gif(),
      solid('#808080').avif(),
    ];
    for (const picture of pictures) {
      const saved = await saveMediaFile(await picture.toBuffer(), storage);
      assert.equal(saved.kind, 'image', saved.reason);
      assert.match(saved.file.placeholder ?? '', /^[0-9a-f]{54}$/);
    }
    assert.equal(storage.put[1]?.placeholder, 'ffffff'.repeat(9));
  });

  for (const [title, bytes, key, mime] of [
    ['SVG', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>', 'bin', 'application/octet-stream'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 'bin', 'application/octet-stream'],
    ['nothing', '', 'bin', 'application/octet-stream'],
    ['PDF', '%PDF-1.7 x', 'pdf', 'application/pdf'],
    ['MP3', 'ID3\x04\x00\x00\x00\x00\x00\x00', 'mp3', 'audio/mpeg'],
    ['Ogg', 'OggS\x00\x02', 'ogg', 'audio/ogg'],
    ['MP4', '\x00\x00\x00\x20ftypisom\x00\x00\x02\x00', 'mp4', 'video/mp4'],
    ['WebM', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x84webm', 'webm', 'video/webm'],
    ['Matroska', '\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82\x88matroska', 'bin', 'application/octet-stream'],
  ] as const)
    it(`detects the type from the bytes: ${title}`, async (t) => {
      const storage = makeStorage(t);
      const { file } = await saveMediaFile(Buffer.from(bytes, 'latin1'), storage);
      assert.deepEqual([file.key.slice(64), file.mime, file.size], [`.${key}`, mime, bytes.length]);
    });

  it('stores an invalid picture as a document, with the reason', async (t) => {
    const storage = makeStorage(t);
    const completePicture = await sharp({
      create: { width: 300, height: 300, channels: 3, background: 'red', noise: { type: 'gaussian', mean: 128, sigma: 40 } },
    })
      .jpeg()
      .toBuffer();
    const bomb = Buffer.from(await solid('red', 1, 1).png().toBuffer());
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    for (const bytes of [Buffer.from('GIF89a and no more'), completePicture.subarray(0, completePicture.length / 2), bomb]) {
      const saved = await saveMediaFile(bytes, storage);
      assert.deepEqual([saved.kind, saved.file.mime, saved.file.width], ['document', 'application/octet-stream', undefined]);
      assert.match(saved.reason ?? '', /^its content looks like image\/\w+ but could not be decoded: ./);
      assert.deepEqual(readFileSync(mediaPath(storage.dataDir, saved.file.key)), bytes);
    }
  });

  it('leaves no file when the source cannot be read', async (t) => {
    const storage = makeStorage(t);
    await assert.rejects(saveMediaFile(join(storage.dataDir, 'nothing'), storage), /ENOENT/);
    assert.deepEqual(readdirSync(join(storage.dataDir, 'media/incoming')), []);
    assert.deepEqual(storage.put, []);
  });
});

describe('deletion of incomplete files', () => {
  it('removes incomplete copies that are a day old, and nothing younger', async (t) => {
    const storage = makeStorage(t);
    await saveMediaFile(Buffer.from('x'), storage);
    const incoming = join(storage.dataDir, 'media/incoming');
    for (const name of ['old', 'young']) writeFileSync(join(incoming, name), '');
    utimesSync(join(incoming, 'old'), 1000, 1000);
    await deleteAbandonedFiles(storage.mediaStore);
    assert.deepEqual(readdirSync(incoming), ['young']);
  });
});
