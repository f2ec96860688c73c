/** Reads a file as base64. What is wrong with it the server says, for it looks at the bytes. */
export async function readLogo(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let binary = '';
  // Not all at once: so many arguments a call does not take.
  for (let at = 0; at < bytes.length; at += 8192) binary += String.fromCharCode(...bytes.subarray(at, at + 8192));
  return btoa(binary);
}
