import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import sharp from 'sharp';
import { webmOf } from './webm.ts';

const DEMO = join(import.meta.dirname, '../../demo');
const demo = (path: string): Buffer => readFileSync(join(DEMO, path));

const PHOTOS = [
  'harbour-gazette/photos/ferry-dawn.jpg',
  'harbour-gazette/photos/fog.jpg',
  'harbour-gazette/photos/storm.jpg',
  'harbour-gazette/photos/boats.jpg',
  'night-sky/photos/milky-way.jpg',
  'tram-5/photos/tram-evening.jpg',
];

/** The bytes of a picture and its size in pixels. */
export interface Sample {
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const sampleAt = async (bytes: Buffer, side: number): Promise<Sample> => {
  const { data, info } = await sharp(bytes)
    .resize(side, side, { fit: 'inside' })
    .jpeg({ quality: 80 })
    .toBuffer({ resolveWithObject: true });
  return { bytes: data, width: info.width, height: info.height };
};

/** Returns one picture in the sizes that Telegram stores, small ones first. */
const photoSizes = async (bytes: Buffer): Promise<Sample[]> => {
  const { width, height } = await sharp(bytes).metadata();
  return [await sampleAt(bytes, 90), await sampleAt(bytes, 320), { bytes, width, height }];
};

const animation = gzipSync(JSON.stringify({ tgs: 1, v: '5.5.2', fr: 60, ip: 0, op: 60, w: 512, h: 512, layers: [] }));

/** Loads small real files of every kind that a post can contain, from the demo network if it has one. */
export const loadSamples = async () => ({
  photos: await Promise.all(PHOTOS.map((path) => photoSizes(demo(path)))),
  poster: await photoSizes(demo('cine-lanterne/video_files/bande-annonce.mp4_thumb.jpg')),
  video: demo('cine-lanterne/video_files/bande-annonce.mp4'),
  clip: demo('tram-5/video_files/tram-wings.mp4'),
  voice: demo('night-sky/voice_messages/audio_1@29-10-2026_17-50-00.ogg'),
  audio: demo('orchard-university/files/one-chord.mp3'),
  document: demo('orchard-university/files/evening-scholarship.pdf'),
  sticker: demo('harbour-gazette/stickers/sticker.webp'),
  stickerAnimation: animation,
  stickerVideo: await webmOf(demo('harbour-gazette/stickers/sticker.webp'), 512),
});

export type Samples = Awaited<ReturnType<typeof loadSamples>>;
