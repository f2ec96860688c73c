/** Maximum size of a small picture, bytes. Larger pictures are not downloaded. */
const MAX_PICTURE_BYTES = 400_000;

/** A picture as bytes, because not every browser can store a Blob in IndexedDB. */
export interface PictureFile {
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/**
 * Downloads a picture of our server with low priority, so that everything that the page shows loads first. Returns null
 * if the picture does not exist or is larger than `MAX_PICTURE_BYTES`. Rejects if no response was received.
 */
export async function fetchPicture(src: string, signal: AbortSignal): Promise<PictureFile | null> {
  const response = await fetch(src, { signal, priority: 'low' });
  const type = response.headers.get('content-type') ?? '';
  if (!response.ok || !type.startsWith('image/') || Number(response.headers.get('content-length')) > MAX_PICTURE_BYTES) {
    await response.body?.cancel();
    return null;
  }
  const bytes = await response.arrayBuffer();
  return bytes.byteLength > MAX_PICTURE_BYTES ? null : { type, bytes };
}
