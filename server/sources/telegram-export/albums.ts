import type { MessageDraft } from './parse-message.ts';

/** Telegram's limit of messages per album. */
const MAX_ALBUM_SIZE = 10;

/** Returns the kind of album that a file may be in: photos with videos, audio with audio, documents with documents. */
const albumKindOf = ({ file }: MessageDraft): string | null => {
  if (!file) return null;
  const { type } = file.media;
  if (type === 'photo' || type === 'video') return 'visual';
  return type === 'audio' || type === 'document' ? type : null;
};

/**
 * Returns a key of the properties that all messages of an album share, because an album is sent at one time by one
 * author.
 */
const sharedFieldsKey = ({ post }: MessageDraft): string =>
  JSON.stringify([post.date, post.author, post.forward?.name, post.forward?.channelId, post.reply?.id]);

const belongsToAlbum = (group: readonly MessageDraft[], next: MessageDraft): boolean => {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last || group.length >= MAX_ALBUM_SIZE) return false;
  const kind = albumKindOf(first);
  // Ids of one album are almost consecutive.
  const isNear = next.post.id > last.post.id && next.post.id - first.post.id < 2 * MAX_ALBUM_SIZE;
  // An album shows only one text, so messages with a text each remain separate posts.
  const textCount = [...group, next].filter(({ post }) => post.text !== '').length;
  const isSameKind = kind !== null && kind === albumKindOf(next);
  return isSameKind && isNear && textCount <= 1 && sharedFieldsKey(first) === sharedFieldsKey(next);
};

/** A draft and the album that it probably belongs to. */
export interface GroupedDraft {
  readonly draft: MessageDraft;
  readonly albumId?: string;
}

const closeGroup = (group: readonly MessageDraft[]): GroupedDraft[] =>
  group.map((draft) => (group.length > 1 ? { draft, albumId: `e${group[0]?.post.id}` } : { draft }));

/**
 * Album grouping: detects albums, which exports do not mark, as neighbouring messages of the same second. `add` takes
 * drafts in the order of the file and returns them as soon as their album is known; `end` returns the last ones.
 */
export const createAlbumGrouper = () => {
  let group: MessageDraft[] = [];
  const end = (): GroupedDraft[] => {
    const finished = closeGroup(group);
    group = [];
    return finished;
  };
  const add = (draft: MessageDraft): GroupedDraft[] => {
    const finished = belongsToAlbum(group, draft) ? [] : end();
    group.push(draft);
    return finished;
  };
  return { add, end };
};
