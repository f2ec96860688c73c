/** Byte order marks. */
const BOMS: readonly [string, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Number of bytes searched for an XML declaration. It is at the start of a document and is ASCII, whatever encoding it
 * names.
 */
const MAX_DECLARATION_BYTES = 200;

const fromByteOrderMark = (body: Uint8Array) => BOMS.find(([, bytes]) => bytes.every((byte, index) => body[index] === byte))?.[0];

const fromHeader = (contentType: string) => /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1];

const fromDeclaration = (body: Uint8Array) => {
  const start = Buffer.from(body.subarray(0, MAX_DECLARATION_BYTES)).toString('latin1');
  return /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/i.exec(start)?.[1];
};

const decoderOf = (label: string) => {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
};

/**
 * Charset detection: decodes a document by its byte order mark, otherwise by the header's charset, otherwise by the XML
 * declaration (RFC 7303), otherwise as UTF-8.
 */
export function decodeText(body: Uint8Array, contentType = ''): string {
  const labels = [fromByteOrderMark(body), fromHeader(contentType), fromDeclaration(body), 'utf-8'];
  for (const label of labels) {
    const decoder = label === undefined ? null : decoderOf(label);
    if (decoder) return decoder.decode(body);
  }
  return '';
}
