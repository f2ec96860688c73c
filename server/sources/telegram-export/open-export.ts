/** Export files: opens an export on disk, reads it, and finds its media files without leaving its folder. */
import { createReadStream } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import { type FoundValue, type JsonPath, JsonStreamError, JsonStreamParser } from './json-stream.ts';

/**
 * Error of a file that cannot be imported. Its sentence names the file, the position of the error, and what to do.
 * Nothing was written.
 */
export class ImportError extends Error {
  override readonly name = 'ImportError';
}

/** An export on disk. */
export interface ExportFile {
  readonly file: string;
  readonly folder: string;
  readonly size: number;
  readonly modifiedAtMs: number;
}

/** Finds the export at a path: a result.json, or the folder that contains it. */
export const openExport = async (path: string): Promise<ExportFile> => {
  const pathStats = await stat(path).catch(() => null);
  const file = pathStats?.isDirectory() ? join(path, 'result.json') : path;
  const fileStats = await stat(file).catch(() => null);
  if (!fileStats?.isFile())
    throw new ImportError(
      `${file} does not exist; specify the result.json of a Telegram Desktop export in JSON, or the folder that contains it.`,
    );
  const folder = await realpath(dirname(resolve(file)));
  return { file, folder, size: fileStats.size, modifiedAtMs: fileStats.mtimeMs };
};

const LINE_FEED = 10;

/** Returns the number of the line at a byte offset, from 1. */
const readLineNumber = async (file: string, offset: number): Promise<number> => {
  let line = 1;
  if (offset === 0) return line;
  for await (const chunk of createReadStream(file, { end: offset - 1 })) {
    const bytes: Buffer = chunk;
    for (let index = bytes.indexOf(LINE_FEED); index !== -1; index = bytes.indexOf(LINE_FEED, index + 1)) line += 1;
  }
  return line;
};

/** Describes in words the value that a path leads to. */
const describePath = (path: JsonPath): string => {
  const messagesPosition = path.lastIndexOf('messages');
  const index = path[messagesPosition + 1];
  const chat = path[0] === 'chats' || path[0] === 'left_chats' ? ` of chat ${Number(path[2] ?? 0) + 1}` : '';
  if (messagesPosition >= 0 && typeof index === 'number') return `in message ${index + 1}${chat}`;
  return path.length === 0 ? 'at the top' : `at ${path.filter((part) => part !== '').join('.') || 'the top'}`;
};

const toImportError = async (file: string, syntaxError: JsonStreamError): Promise<ImportError> => {
  const line = await readLineNumber(file, syntaxError.offset);
  const hint = syntaxError.isTruncated ? ' It looks truncated: copy or export it again.' : '';
  return new ImportError(
    `${file} is not a complete JSON file: ${syntaxError.message.replace(/\.$/, '')} (byte ${syntaxError.offset}, line ${line}, ${describePath(syntaxError.path)}).${hint} Nothing was imported.`,
  );
};

const isMessageAt = (path: JsonPath, depth: number) => path[depth] === 'messages' && path.length === depth + 2;

/**
 * Returns whether a path is that of a message. Each message is parsed as one value; the parser descends into all other
 * containers.
 */
const isMessage = (path: JsonPath): boolean =>
  isMessageAt(path, 0) || ((path[0] === 'chats' || path[0] === 'left_chats') && path[1] === 'list' && isMessageAt(path, 3));

const READ_CHUNK_BYTES = 256 * 1024;

/**
 * Reads an export completely. Throws ImportError at a syntax error. Yields the values found and the number of bytes
 * read so far.
 */
export async function* readExport(exportFile: ExportFile): AsyncGenerator<{ values: FoundValue[]; bytes: number }> {
  const parser = new JsonStreamParser(isMessage);
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(exportFile.file, { highWaterMark: READ_CHUNK_BYTES })) {
      const buffer: Buffer = chunk;
      bytes += buffer.length;
      yield { values: parser.read(buffer), bytes };
    }
    yield { values: parser.end(), bytes };
  } catch (error) {
    throw error instanceof JsonStreamError ? await toImportError(exportFile.file, error) : error;
  }
}

/** Finds a file that an export names. Returns its path, the reason why it is rejected, or that it does not exist. */
export const findExportedFile = async (
  folder: string,
  exportPath: string,
): Promise<{ path: string } | { rejected: string } | { missing: true }> => {
  const path = resolve(folder, exportPath);
  if (!path.startsWith(folder + sep)) return { rejected: 'its path is outside of the export' };
  const realFile = await realpath(path).catch(() => null);
  if (realFile === null) return { missing: true };
  if (!realFile.startsWith(folder + sep)) return { rejected: 'it is a link to a file outside of the export' };
  const fileStats = await stat(realFile).catch(() => null);
  if (!fileStats?.isFile()) return { missing: true };
  const readable = await open(realFile).then(
    (handle) => handle.close().then(() => true),
    () => false,
  );
  return readable ? { path: realFile } : { rejected: 'this user has no permission to read it' };
};
