import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { PostIconName } from '../icons/PostIcon.tsx';
import { ExternalLink } from '../Link.tsx';
import { RareChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { FileCard, FileContent } from './FileCard.tsx';
import { clockText, sizeText } from './format-media.ts';
import { OriginalLink, useMissingReason } from './MissingFile.tsx';

interface FileRowProps {
  readonly item: Media;
  readonly base: string;
  readonly link: string | undefined;
}

/**
 * File row: renders a file that is not part of an album: music, a voice message, a round video, a sticker, a document.
 */
export function FileRow({ item, base, link }: FileRowProps) {
  const name = useFileTitle(item);
  const size = useFileSize(item);
  const missing = <MissingRow item={item} link={link} />;
  if (item.type === 'sticker')
    return <RareChunk>{(chunk) => <chunk.Sticker {...{ item, base, name }} fallback={missing} />}</RareChunk>;
  if (item.src === undefined) return missing;
  if (item.type === 'video_note') return <RareChunk>{(chunk) => <chunk.RoundVideo {...{ item, base, name }} />}</RareChunk>;
  if (item.type !== 'audio' && item.type !== 'voice') return <DocumentRow item={item} base={base} />;
  return <RareChunk>{(chunk) => <chunk.AudioPlayer {...{ item, base, name, sizeLabel: size }} />}</RareChunk>;
}

function DocumentRow({ item, base }: Omit<FileRowProps, 'link'>) {
  const { msg } = useMsg();
  return (
    <ExternalLink className="file" href={base + (item.src ?? '')} download={item.name ?? ''}>
      <FileContent icon={iconOf(item)} title={useFileTitle(item)} details={useFileDetails(item)} />
      <span className="hidden">{msg('Download')}</span>
    </ExternalLink>
  );
}

function MissingRow({ item, link }: Omit<FileRowProps, 'base'>) {
  return (
    <FileCard
      icon={iconOf(item)}
      title={useFileTitle(item)}
      details={[useFileDetails(item), useMissingReason(item)].filter(Boolean).join(' · ')}
    >
      <OriginalLink link={link} />
    </FileCard>
  );
}

const iconOf = ({ type }: Media): PostIconName => {
  if (type === 'photo' || type === 'voice') return type;
  if (type === 'audio') return 'music';
  return type === 'document' ? 'file' : 'play';
};

/** Types whose file name is generated, and so has no meaning for readers. */
const TYPES_WITHOUT_FILE_NAME: ReadonlySet<Media['type']> = new Set(['voice', 'video_note', 'sticker']);

/** Returns the title of a file: the track, otherwise the file's name, otherwise its type. */
function useFileTitle(item: Media): string {
  const { msg } = useMsg();
  const typeNames: Partial<Record<Media['type'], string>> = {
    voice: msg('Voice message'),
    video_note: msg('Video message'),
    audio: msg('Audio'),
    sticker: [msg('Sticker'), item.emoji].filter(Boolean).join(' '),
  };
  const track = [item.performer, item.title].filter((part) => part !== undefined && part !== '').join(' — ');
  return track || (TYPES_WITHOUT_FILE_NAME.has(item.type) ? undefined : item.name) || typeNames[item.type] || msg('File');
}

/** Returns duration and size, if known. */
function useFileDetails(item: Media): string {
  return [item.duration === undefined ? '' : clockText(item.duration), useFileSize(item)].filter(Boolean).join(' · ');
}

function useFileSize({ size }: Media): string {
  const messages = useMsg();
  return size === undefined ? '' : sizeText(messages, size);
}
