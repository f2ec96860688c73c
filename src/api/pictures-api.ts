/** What is larger is no small picture, bytes. */
const LARGEST = 400_000;

/** A picture as bytes: not every engine keeps a Blob in its database. */
export interface PictureFile {
  readonly type: string;
  readonly bytes: ArrayBuffer;
}

/** Fetches a picture of ours after all that the page shows; null where there is none, or none that is small. Rejects without an answer. */
export async function fetchPicture(src: string, signal: AbortSignal): Promise<PictureFile | null> {
  const answer = await fetch(src, { signal, priority: 'low' });
  const type = answer.headers.get('content-type') ?? '';
  if (!answer.ok || !type.startsWith('image/') || Number(answer.headers.get('content-length')) > LARGEST) {
    await answer.body?.cancel();
    return null;
  }
  const bytes = await answer.arrayBuffer();
  return bytes.byteLength > LARGEST ? null : { type, bytes };
}
