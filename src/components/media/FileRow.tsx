import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { PartIconName } from '../icons/PostIcon.tsx';
import { Out } from '../Link.tsx';
import { Kind } from '../lazy-chunks/lazy-chunks.tsx';
import { FileCard, FileFace } from './FileCard.tsx';
import { clockText, sizeText } from './format-media.ts';
import { OriginalLink, useMissing } from './MissingFile.tsx';

interface FileProps {
  readonly item: Media;
  readonly base: string;
  readonly link: string | undefined;
}

/** File row: renders a file that is not part of an album: music, a voice message, a round video, a sticker, a document. */
export function FileRow({ item, base, link }: FileProps) {
  const name = useTitle(item);
  const size = useSize(item);
  const missing = <MissingRow item={item} link={link} />;
  if (item.type === 'sticker') return <Kind>{(kinds) => <kinds.Sticker {...{ item, base, name }} otherwise={missing} />}</Kind>;
  if (item.src === undefined) return missing;
  if (item.type === 'video_note') return <Kind>{(kinds) => <kinds.RoundVideo {...{ item, base, name }} />}</Kind>;
  if (item.type !== 'audio' && item.type !== 'voice') return <Document item={item} base={base} />;
  return <Kind>{(kinds) => <kinds.Sound {...{ item, base, name, note: size }} />}</Kind>;
}

function Document({ item, base }: Omit<FileProps, 'link'>) {
  const { msg } = useMsg();
  return (
    <Out className="file" href={base + (item.src ?? '')} download={item.name ?? ''}>
      <FileFace icon={iconOf(item)} title={useTitle(item)} note={useFacts(item)} />
      <span className="hidden">{msg('Download')}</span>
    </Out>
  );
}

function MissingRow({ item, link }: Omit<FileProps, 'base'>) {
  return (
    <FileCard icon={iconOf(item)} title={useTitle(item)} note={[useFacts(item), useMissing(item)].filter(Boolean).join(' · ')}>
      <OriginalLink link={link} />
    </FileCard>
  );
}

const iconOf = ({ type }: Media): PartIconName => {
  if (type === 'photo' || type === 'voice') return type;
  return type === 'audio' ? 'music' : type === 'document' ? 'file' : 'play';
};

const NAMELESS: ReadonlySet<Media['type']> = new Set(['voice', 'video_note', 'sticker']);

/** Returns the title of a file: the track, otherwise the file's name, otherwise its type. */
function useTitle(item: Media): string {
  const { msg } = useMsg();
  const names: Partial<Record<Media['type'], string>> = {
    voice: msg('Voice message'),
    video_note: msg('Video message'),
    audio: msg('Audio'),
    sticker: [msg('Sticker'), item.emoji].filter(Boolean).join(' '),
  };
  const track = [item.performer, item.title].filter((part) => part !== undefined && part !== '').join(' — ');
  return track || (NAMELESS.has(item.type) ? undefined : item.name) || names[item.type] || msg('File');
}

/** Returns duration and size, if known. */
function useFacts(item: Media): string {
  return [item.duration === undefined ? '' : clockText(item.duration), useSize(item)].filter(Boolean).join(' · ');
}

function useSize({ size }: Media): string {
  const m = useMsg();
  return size === undefined ? '' : sizeText(m, size);
}
