/** File source of the bot: fetches files from Telegram, or from a local Bot API server. */
import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { isAbsolute, relative } from 'node:path';
import { GrammyError } from 'grammy';
import type { FileFailure } from '../../../contract/failures.ts';
import { type FileSource, FileSourceError } from '../../media/file-source.ts';
import { type BotApi, BotUnreachable } from './client.ts';

/** Seconds without requests after an error that a person has to fix. */
const REPAIR_PAUSE_SECONDS = 300;

/** Size of the chunks in which a local file is read. */
const READ_CHUNK_BYTES = 256 * 1024;

const retryLaterError = (code: FileFailure, sentence: string) => new FileSourceError('retry', { code, sentence });
const unreachableError = () =>
  new FileSourceError('unreachable', { code: 'unreachable', sentence: 'Telegram could not be reached' });

const tokenRejectedError = () =>
  new FileSourceError('wait', { code: 'token-refused', sentence: 'Telegram rejected BOT_TOKEN' }, REPAIR_PAUSE_SECONDS);

/**
 * Converts an error to one with our own text. The URL of a file contains the bot's token, so no part of the original
 * error is passed on.
 */
const toFileSourceError = (error: unknown): FileSourceError => {
  if (error instanceof FileSourceError) return error;
  if (error instanceof BotUnreachable) return unreachableError();
  if (!(error instanceof GrammyError)) return retryLaterError('broken-off', 'the download was interrupted');
  const { error_code: code, description, parameters } = error;
  if (code === 429)
    return new FileSourceError(
      'wait',
      { code: 'asked-to-wait', sentence: 'Telegram limits the rate of requests' },
      parameters.retry_after ?? 1,
    );
  if (code === 401 || code === 404) return tokenRejectedError();
  if (code >= 500) return unreachableError();
  if (/too big/i.test(description))
    return new FileSourceError('too-large', {
      code: 'too-large-for-bots',
      sentence: 'Telegram does not let bots download files of this size',
    });
  if (/invalid file_id/i.test(description))
    return new FileSourceError('gone', { code: 'unknown', sentence: 'Telegram does not know this file' });
  return retryLaterError('unknown', 'Telegram does not have this file');
};

const assertOk = ({ status, headers }: Response): void => {
  if (status === 200) return;
  if (status === 429) {
    const seconds = Number(headers.get('retry-after')) || 1;
    throw new FileSourceError('wait', { code: 'asked-to-wait', sentence: 'Telegram limits the rate of requests' }, seconds);
  }
  if (status === 401) throw tokenRejectedError();
  // The path was valid for an hour; the next attempt requests another.
  throw status === 404 ? retryLaterError('unknown', 'Telegram does not have this file') : unreachableError();
};

/** Returns the chunks of a response body. Converts the errors of an interrupted download. */
async function* bytesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw toFileSourceError(error);
  }
}

/** Opens a local file. A Bot API server that runs with --local returns paths on its own disk. */
const openLocalFile = async (path: string, folder: string | null): Promise<AsyncIterable<Uint8Array>> => {
  if (folder === null)
    throw new FileSourceError(
      'wait',
      { code: 'other', sentence: 'BOT_API_ROOT returns paths on its own disk: set BOT_API_FILES to that folder' },
      REPAIR_PAUSE_SECONDS,
    );
  const [filePath, realFolder] = await Promise.all([path, folder].map((candidate) => realpath(candidate).catch(() => null)));
  if (!filePath || !realFolder) throw retryLaterError('unknown', 'Telegram does not have this file');
  const relativePath = relative(realFolder, filePath);
  if (relativePath === '' || relativePath.startsWith('..') || isAbsolute(relativePath))
    throw new FileSourceError('gone', { code: 'forbidden', sentence: 'it is outside of BOT_API_FILES' });
  return createReadStream(filePath, { highWaterMark: READ_CHUNK_BYTES });
};

/**
 * Rejects when the signal aborts. The call is not cancelled, because grammY has a separate type of signals; it ends
 * without an effect.
 */
const rejectOnAbort = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(retryLaterError('broken-off', 'the request was cancelled'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });

/** Returns whether a path can be part of a URL: no query, fragment, backslash, control character or parent folder. */
const isPlainPath = (path: string): boolean => !/[?#\\\p{Cc}]/u.test(path) && !path.split('/').includes('..');

/** Creates the file source of a bot's files at Telegram; `folder` is BOT_API_FILES. */
export const createBotFileSource = (bot: BotApi, folder: string | null): FileSource => ({
  async locateFile(fileId, signal) {
    try {
      const { file_path: path, file_size: size = null } = await rejectOnAbort(signal, bot.api.getFile(fileId));
      if (path === undefined) throw retryLaterError('unknown', 'Telegram does not have this file');
      return { path, size };
    } catch (error) {
      throw toFileSourceError(error);
    }
  },
  async download(path, signal) {
    if (isAbsolute(path)) return openLocalFile(path, folder);
    if (!isPlainPath(path))
      throw new FileSourceError('gone', { code: 'unknown', sentence: 'Telegram returned a path that cannot be requested' });
    try {
      const response = await bot.download(encodeURI(path), signal);
      assertOk(response);
      if (response.body === null) throw retryLaterError('broken-off', 'the download was interrupted');
      return bytesOf(response.body);
    } catch (error) {
      throw toFileSourceError(error);
    }
  },
});
