// Node's own SQLite (from 22.13), which the types of Node 20 do not know.
declare module 'node:sqlite' {
  export class DatabaseSync {
    constructor(path: string);
    prepare(sql: string): import('./database.ts').Statement;
    exec(sql: string): void;
    close(): void;
  }
}
