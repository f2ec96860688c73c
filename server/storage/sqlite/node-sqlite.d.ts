// Types of `node:sqlite` (from Node 22.13), which the types of Node 20 do not include.
declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string);
    prepare(sql: string): import('./connection.ts').PreparedStatement;
    exec(sql: string): void;
    close(): void;
  }
  /** From Node 22.16. `rate` is the number of pages per step. */
  export const backup: undefined | ((from: DatabaseSync, to: string, options: { rate: number }) => Promise<unknown>);
}
