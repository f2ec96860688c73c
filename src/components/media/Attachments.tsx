import { plainText } from '../../../contract/plain-text.ts';
import type { Media, Post } from '../../../contract/post.ts';
import { isMediaLeftOut } from '../../../contract/shown-media.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { isVisual } from '../../lib/media-kinds.ts';
import { CommonChunk, RareChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { Album } from './Album.tsx';

interface AttachmentsProps {
  readonly post: Post;
  /** The files of the post to render. */
  readonly media: readonly Media[];
  readonly base: string;
  onOpen(post: Post, media: Media): void;
}

const MAX_ALBUM_ITEMS = 10;

/**
 * Attachments of a post: renders pictures and videos as one album, other files below each other, and one line for files
 * that the source omitted.
 */
export function Attachments({ post, media, base, onOpen }: AttachmentsProps) {
  const { msg } = useMsg();
  const { link } = post;
  const omitted = media.filter(isMediaLeftOut);
  const visuals = media.filter((item) => isVisual(item) && !omitted.includes(item)).slice(0, MAX_ALBUM_ITEMS);
  const others = media.filter((item) => !visuals.includes(item) && !omitted.includes(item));
  return (
    <>
      {visuals.length > 0 && (
        <Album
          media={visuals}
          caption={plainText(post, msg('[hidden text]'))}
          base={base}
          link={link}
          onOpen={(item) => onOpen(post, item)}
        />
      )}
      {others.length > 0 && (
        <CommonChunk>
          {(chunk) =>
            others.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: all files of a rich message have one message's id
              <chunk.FileRow key={`${index} ${item.src}`} item={item} base={base} link={link} />
            ))
          }
        </CommonChunk>
      )}
      {omitted.length > 0 && <RareChunk>{(chunk) => <chunk.OmittedFiles media={omitted} link={link} />}</RareChunk>}
    </>
  );
}
