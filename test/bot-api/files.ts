// File storage of the Bot API double: file ids, download paths and their expiry.

import type { File, PhotoSize } from '@grammyjs/types';
import { badRequest } from './answer.ts';
import type { Sample } from './samples.ts';

/** Maximum size of a file that a bot may download, in bytes. The servers of Telegram refuse larger ones. */
export const MAX_DOWNLOAD_BYTES = 20 * 1024 * 1024;

interface StoredFile {
  readonly uniqueId: string;
  /** Null for a file that is only announced, for example one that is too large to be downloaded. */
  readonly bytes: Buffer | null;
  readonly size: number;
  readonly folder: string;
  readonly extension: string;
}

/** The three fields that describe every kind of file. */
export interface FileFields {
  file_id: string;
  file_unique_id: string;
  file_size: number;
}

const FOLDERS: Readonly<Record<string, string>> = {
  jpg: 'photos',
  webp: 'stickers',
  tgs: 'stickers',
  webm: 'stickers',
  mp4: 'videos',
  ogg: 'voice',
  mp3: 'music',
};

/** The files that Telegram stores, by file id, and the download paths issued for them. */
export class Files {
  readonly #files = new Map<string, StoredFile>();
  readonly #paths = new Map<string, string>();
  /** File ids in the order of their downloads. */
  readonly fetched: string[] = [];
  #fileCount = 0;

  /** Stores bytes. Pass `uniqueId` if the same file exists already under another file id. */
  add(bytes: Buffer, extension: string, uniqueId?: string): FileFields {
    return this.#store({ bytes, size: bytes.length, extension }, uniqueId);
  }

  /** Announces a file of this size that cannot be downloaded. */
  addHuge(size: number, extension: string): FileFields {
    return this.#store({ bytes: null, size, extension });
  }

  #store(file: Pick<StoredFile, 'bytes' | 'size' | 'extension'>, uniqueId?: string): FileFields {
    const number = String(++this.#fileCount).padStart(6, '0');
    const fileFields = {
      file_id: `AgACAgIAAx0CaaJDQQABCTG${number}AAL1vTEbEca2SssL3wNgBAAMCAAN5AAM2BA`,
      file_unique_id: uniqueId ?? `AQAD8v0xGxH${number}`,
      file_size: file.size,
    };
    this.#files.set(fileFields.file_id, {
      ...file,
      uniqueId: fileFields.file_unique_id,
      folder: FOLDERS[file.extension] ?? 'documents',
    });
    return fileFields;
  }

  /** Stores a picture in all its sizes, small ones first, as Telegram lists them. */
  photo(sizes: readonly Sample[]): PhotoSize[] {
    return sizes.map(({ bytes, width, height }) => ({ ...this.add(bytes, 'jpg'), width, height }));
  }

  /** Returns the response of getFile. */
  tell(fileId: string): File {
    const file = this.#files.get(fileId);
    if (fileId === '' || !/^[\w-]+$/.test(fileId)) throw badRequest('invalid file_id');
    if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable');
    if (file.size > MAX_DOWNLOAD_BYTES || file.bytes === null) throw badRequest('file is too big');
    const path = `${file.folder}/file_${this.#paths.size}.${file.extension}`;
    this.#paths.set(path, fileId);
    return { file_id: fileId, file_unique_id: file.uniqueId, file_size: file.size, file_path: path };
  }

  /** Returns the bytes at a path that `tell` returned; null if the path is unknown or has expired. */
  fetch(path: string): Buffer | null {
    const fileId = this.#paths.get(path);
    const bytes = fileId === undefined ? null : (this.#files.get(fileId)?.bytes ?? null);
    if (fileId !== undefined && bytes) this.fetched.push(fileId);
    return bytes;
  }

  /** Expires every download path issued so far. Telegram promises one hour. */
  expire(): void {
    for (const path of this.#paths.keys()) this.#paths.set(path, '');
  }

  /** Loses a file, as Telegram does occasionally. */
  lose(fileId: string): void {
    this.#files.delete(fileId);
  }
}
