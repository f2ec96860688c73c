// Entry point of a chunk: `CommonChunk` provides these components. Nothing else may import this module.

export { AlbumTile } from '../../media/AlbumTile.tsx';
export { layoutAlbum } from '../../media/album-layout.ts';
export { pauseOtherPlayers } from '../../media/exclusive-playback.ts';
export { FileCard } from '../../media/FileCard.tsx';
export { FileRow } from '../../media/FileRow.tsx';
export { clockText } from '../../media/format-media.ts';
export { OriginalLink } from '../../media/MissingFile.tsx';
export { VideoPlayer } from '../../media/VideoPlayer.tsx';
export { LocalTime, Spoiler } from '../../rich-text/Spoiler.tsx';
export { Code, CodeBox, firstLetterDirection, Quote } from '../../rich-text/TextBlocks.tsx';
export { MissingPosts } from '../MissingPosts.tsx';
