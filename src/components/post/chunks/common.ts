// Entry point of a chunk: `Part` provides these components. Nothing else may import this module.

export { Tile } from '../../media/AlbumTile.tsx';
export { mosaic } from '../../media/album-layout.ts';
export { stopOthers } from '../../media/exclusive-playback.ts';
export { FileCard } from '../../media/FileCard.tsx';
export { FileRow } from '../../media/FileRow.tsx';
export { clockText } from '../../media/format-media.ts';
export { OriginalLink } from '../../media/MissingFile.tsx';
export { Player } from '../../media/VideoPlayer.tsx';
export { Moment, Spoiler } from '../../rich-text/Spoiler.tsx';
export { Code, CodeBox, directionOf, Quote } from '../../rich-text/TextBlocks.tsx';
export { Gap } from '../MissingPosts.tsx';
