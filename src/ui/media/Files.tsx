import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import type { IconName } from '../Icon.tsx';
import { Out } from '../Link.tsx';
import { OriginalLink, useMissing } from './Album.tsx';
import { FileCard, FileFace } from './FileCard.tsx';
import { clockText, sizeText } from './sizes.ts';

interface FileProps {
  readonly item: Media;
  readonly base: string;
  readonly link: string | undefined;
}

/** Shows a file that is not part of an album: sound, a voice, a round video, a sticker, a document. */
export function FileRow({ item, base, link }: FileProps) {
  if (item.type === 'sticker') return <Sticker item={item} base={base} />;
  if (item.src === undefined) return <MissingRow item={item} link={link} />;
  if (item.type === 'audio' || item.type === 'voice') return <Sound item={item} base={base} />;
  if (item.type === 'video_note') return <Round item={item} base={base} />;
  return <Document item={item} base={base} />;
}

const ICONS: Partial<Record<Media['type'], IconName>> = {
  audio: 'music',
  voice: 'voice',
  video_note: 'play',
  video: 'play',
  photo: 'photo',
};
const iconOf = (item: Media): IconName => ICONS[item.type] ?? 'file';

function useTitle(item: Media): string {
  const { msg } = useMsg();
  const names: Partial<Record<Media['type'], string>> = {
    voice: msg('Voice message'),
    video_note: msg('Video message'),
    audio: msg('Audio'),
  };
  const track = [item.performer, item.title].filter((part) => part !== undefined && part !== '').join(' — ');
  return (
    track || (item.type === 'voice' || item.type === 'video_note' ? undefined : item.name) || names[item.type] || msg('File')
  );
}

/** Duration and size, as far as they are known. */
function useFacts(item: Media): string {
  const m = useMsg();
  const facts = [
    item.duration === undefined ? '' : clockText(item.duration),
    item.size === undefined ? '' : sizeText(m, item.size),
  ];
  return facts.filter(Boolean).join(' · ');
}

function Sound({ item, base }: Omit<FileProps, 'link'>) {
  const title = useTitle(item);
  const facts = useFacts(item);
  return (
    <figure className="sound">
      <figcaption>
        <FileFace icon={iconOf(item)} title={title} note={facts} />
      </figcaption>
      <audio src={base + (item.src ?? '')} controls preload="none" aria-label={title} />
    </figure>
  );
}

function Round({ item, base }: Omit<FileProps, 'link'>) {
  const title = useTitle(item);
  const poster = item.poster === undefined ? {} : { poster: base + item.poster.src };
  return (
    <video
      className="round"
      src={base + (item.src ?? '')}
      {...poster}
      preload="metadata"
      controls
      playsInline
      aria-label={title}
    />
  );
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

function Sticker({ item, base }: Omit<FileProps, 'link'>) {
  const { msg } = useMsg();
  const name = [msg('Sticker'), item.emoji].filter(Boolean).join(' ');
  if (item.src !== undefined && item.mime?.startsWith('video/') === true) {
    return <video className="sticker" src={base + item.src} muted loop autoPlay playsInline aria-label={name} />;
  }
  if (item.src !== undefined && item.mime !== 'application/x-tgsticker') {
    return (
      <img
        className="sticker"
        src={base + item.src}
        width={item.width ?? 512}
        height={item.height ?? 512}
        alt={name}
        loading="lazy"
      />
    );
  }
  return (
    <p className="text emoji" role="img" aria-label={name}>
      {item.emoji ?? '▢'}
    </p>
  );
}
