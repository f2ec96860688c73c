// The door of a chunk: what Part hands on, and nothing else imports.
export { FileCard } from './media/FileCard.tsx';
export { FileRow } from './media/Files.tsx';
export { OriginalLink } from './media/Missing.tsx';
export { clockText } from './media/measures.ts';
export { mosaic } from './media/mosaic.ts';
export { stopOthers } from './media/one-voice.ts';
export { Player } from './media/Player.tsx';
export { Tile } from './media/Tile.tsx';
export { Gap } from './post/Gap.tsx';
export { Moment, Spoiler } from './text/Rare.tsx';
export { Code, CodeBox, directionOf, Quote } from './text/Standing.tsx';
