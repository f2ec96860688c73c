// The door of a chunk: what Part hands on, and nothing else imports.
export { FileRow } from './media/Files.tsx';
export { Tile } from './media/Tile.tsx';
export { Extras } from './post/Extras.tsx';
export { ServiceLine } from './post/ServiceLine.tsx';
export { Moment, Spoiler } from './text/Rare.tsx';
export { Code, Quote } from './text/Standing.tsx';
