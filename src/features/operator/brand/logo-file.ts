/** Number of bytes that are encoded per call: a function call accepts a limited number of arguments. */
const ENCODE_CHUNK_BYTES = 8192;

/** Logo upload: encodes a logo file as base64. It is not validated here: the server inspects the bytes. */
export async function readLogoFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  for (let start = 0; start < bytes.length; start += ENCODE_CHUNK_BYTES)
    binary += String.fromCharCode(...bytes.subarray(start, start + ENCODE_CHUNK_BYTES));
  return btoa(binary);
}
