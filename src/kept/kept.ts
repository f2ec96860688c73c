import { deleteDatabase, openDatabase } from './database.ts';
import type { Shelf } from './shelf.ts';

/** What this device keeps: one database for public things, one for each reader. */
export interface Kept {
  readonly kind: 'idb' | 'memory';
  /** What anyone may see: channels and their posts. */
  readonly public: Shelf;
  /** The reader's own, and what only this reader may see; for an anonymous reader the device's. */
  readonly reader: Shelf;
  /** What this device's anonymous reader left, to be merged at sign-in. */
  anonymous(): Promise<Shelf>;
  /** After this nothing is read or written any more. */
  close(): void;
}

const nameOf = (readerId: string | null): string => (readerId === null ? 'changer-anonymous' : `changer-reader-${readerId}`);

/** Opens what is kept for a reader, null for an anonymous one. Where IndexedDB fails in any way, memory stands in; never rejects. */
export async function openKept(readerId: string | null): Promise<Kept> {
  const [common, own] = await Promise.all([openShelf('changer-public'), openShelf(nameOf(readerId))]);
  const opened = [common, own];
  return {
    kind: common.lasting && own.lasting ? 'idb' : 'memory',
    public: common,
    reader: own,
    async anonymous() {
      const shelf = await openShelf(nameOf(null));
      opened.push(shelf);
      return shelf;
    },
    close() {
      for (const shelf of opened) shelf.close();
    },
  };
}

/** Deletes what is kept of a reader; other tabs that hold it let go. Gives up after a second rather than hold up a sign-out. */
export async function eraseReader(readerId: string | null): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, 1000));
  try {
    await Promise.race([deleteDatabase(nameOf(readerId)), patience]);
  } catch {
    // No IndexedDB, then nothing was kept in it.
  }
}

async function openShelf(name: string): Promise<Shelf & { readonly lasting: boolean }> {
  try {
    return { ...guarded(Promise.resolve(await openDatabase(name))), lasting: true };
  } catch {
    return { ...guarded(inMemory()), lasting: false };
  }
}

/** Fetched where it is needed: nearly every device can keep things. */
const inMemory = async (): Promise<Shelf> => (await import('./memory.ts')).memoryShelf();

/** Goes over to memory with the first call that fails (quota, a deleted or broken database), and stops when closed. */
function guarded(opened: Promise<Shelf>): Shelf {
  let shelf: Promise<Shelf> | null = opened;
  async function run<Value>(call: (shelf: Shelf) => Promise<Value>, nothing: Value): Promise<Value> {
    const asked = shelf;
    if (asked === null) return nothing;
    try {
      return await call(await asked);
    } catch {
      if (shelf === null) return nothing;
      if (shelf === asked) shelf = inMemory();
      return shelf.then(call).catch(() => nothing);
    }
  }
  return {
    get: (key) => run((to) => to.get(key), undefined),
    list: (prefix, options) => run((to) => to.list(prefix, options), []),
    put: (entries) => run((to) => to.put(entries), undefined),
    change: (key, make) => run((to) => to.change(key, make), undefined),
    drop: (prefix) => run((to) => to.drop(prefix), undefined),
    trim: (prefix, count) => run((to) => to.trim(prefix, count), undefined),
    close() {
      shelf = null;
      void opened.then((database) => database.close());
    },
  };
}
