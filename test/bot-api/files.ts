import type { File, PhotoSize } from '@grammyjs/types';
import { badRequest } from './answer.ts';
import type { Sample } from './samples.ts';

/** What a bot may fetch, in bytes: Telegram's own servers refuse what is larger. */
export const MOST_BYTES = 20 * 1024 * 1024;

interface Kept {
  readonly uniqueId: string;
  /** Null for a file that is only said to be there, as one too large to be fetched. */
  readonly bytes: Buffer | null;
  readonly size: number;
  readonly folder: string;
  readonly extension: string;
}

/** The three fields by which every kind of file is told. */
export interface FileTold {
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

/** The files that Telegram holds, by file id, and the addresses given out for them. */
export class Files {
  readonly #files = new Map<string, Kept>();
  readonly #paths = new Map<string, string>();
  /** File ids in the order in which their bytes were fetched. */
  readonly fetched: string[] = [];
  #made = 0;

  /** Keeps bytes; `uniqueId` where the same file comes again under another file id. */
  add(bytes: Buffer, extension: string, uniqueId?: string): FileTold {
    return this.#keep({ bytes, size: bytes.length, extension }, uniqueId);
  }

  /** Tells of a file of this size that nobody can fetch. */
  addHuge(size: number, extension: string): FileTold {
    return this.#keep({ bytes: null, size, extension });
  }

  #keep(file: Pick<Kept, 'bytes' | 'size' | 'extension'>, uniqueId?: string): FileTold {
    const number = String(++this.#made).padStart(6, '0');
    const told = {
      file_id: `AgACAgIAAx0CaaJDQQABCTG${number}AAL1vTEbEca2SssL3wNgBAAMCAAN5AAM2BA`,
      file_unique_id: uniqueId ?? `AQAD8v0xGxH${number}`,
      file_size: file.size,
    };
    this.#files.set(told.file_id, { ...file, uniqueId: told.file_unique_id, folder: FOLDERS[file.extension] ?? 'documents' });
    return told;
  }

  /** Keeps a picture in all its sizes, small ones first, as Telegram tells them. */
  photo(sizes: readonly Sample[]): PhotoSize[] {
    return sizes.map(({ bytes, width, height }) => ({ ...this.add(bytes, 'jpg'), width, height }));
  }

  /** Answers getFile. */
  tell(fileId: string): File {
    const file = this.#files.get(fileId);
    if (fileId === '' || !/^[\w-]+$/.test(fileId)) throw badRequest('invalid file_id');
    if (!file) throw badRequest('wrong file_id or the file is temporarily unavailable');
    if (file.size > MOST_BYTES || file.bytes === null) throw badRequest('file is too big');
    const path = `${file.folder}/file_${this.#paths.size}.${file.extension}`;
    this.#paths.set(path, fileId);
    return { file_id: fileId, file_unique_id: file.uniqueId, file_size: file.size, file_path: path };
  }

  /** The bytes at an address that `tell` gave; null where it is none, or no longer. */
  fetch(path: string): Buffer | null {
    const fileId = this.#paths.get(path);
    const bytes = fileId === undefined ? null : (this.#files.get(fileId)?.bytes ?? null);
    if (fileId !== undefined && bytes) this.fetched.push(fileId);
    return bytes;
  }

  /** Ends every address given out so far; Telegram promises an hour. */
  expire(): void {
    for (const path of this.#paths.keys()) this.#paths.set(path, '');
  }

  /** Loses a file, as Telegram now and then does. */
  lose(fileId: string): void {
    this.#files.delete(fileId);
  }
}
