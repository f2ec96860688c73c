/** Encodes a logo file as base64. It is not validated here: the server inspects the bytes. */
export async function readLogoFile(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  // In slices, because a function call accepts a limited number of arguments.
  for (let start = 0; start < bytes.length; start += 8192) binary += String.fromCharCode(...bytes.subarray(start, start + 8192));
  return btoa(binary);
}
