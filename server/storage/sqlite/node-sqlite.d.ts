// Node's own SQLite (from 22.13), which the types of Node 20 do not know.
declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string);
    prepare(sql: string): import('./connection.ts').Statement;
    exec(sql: string): void;
    close(): void;
  }
  /** From 22.16; `rate` is pages in one step. */
  export const backup: undefined | ((from: DatabaseSync, to: string, options: { rate: number }) => Promise<unknown>);
}
