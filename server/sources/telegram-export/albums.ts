import type { Draft } from './parse-message.ts';

/** Telegram's own limit. */
const MOST_IN_ALBUM = 10;

/** What may stand together in one album: photos with videos, sounds with sounds, documents with documents. */
const kindOf = ({ file }: Draft): string | null => {
  if (!file) return null;
  const { type } = file.media;
  if (type === 'photo' || type === 'video') return 'seen';
  return type === 'audio' || type === 'document' ? type : null;
};

/** An album is sent at once, as from one hand: everything that its messages share. */
const handOf = ({ post }: Draft): string =>
  JSON.stringify([post.date, post.author, post.forward?.name, post.forward?.channelId, post.reply?.id]);

const together = (group: readonly Draft[], next: Draft): boolean => {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last || group.length >= MOST_IN_ALBUM) return false;
  const kind = kindOf(first);
  const near = next.post.id > last.post.id && next.post.id - first.post.id < 2 * MOST_IN_ALBUM;
  // Two posts with a text each lose nothing by standing apart; as one album the second text would not be seen.
  const texts = [...group, next].filter(({ post }) => post.text !== '').length;
  return kind !== null && kind === kindOf(next) && near && texts <= 1 && handOf(first) === handOf(next);
};

/** A draft, and the album that it seems to belong to. */
export interface Grouped {
  readonly draft: Draft;
  readonly albumId?: string;
}

const close = (group: readonly Draft[]): Grouped[] =>
  group.map((draft) => (group.length > 1 ? { draft, albumId: `e${group[0]?.post.id}` } : { draft }));

/**
 * Puts albums together, which exports do not name: neighbours sent in the same second. Takes drafts in the order of the file
 * and gives them back once it is sure of them; `end` gives the last.
 */
export const albumGrouper = () => {
  let group: Draft[] = [];
  const end = (): Grouped[] => {
    const closed = close(group);
    group = [];
    return closed;
  };
  const add = (draft: Draft): Grouped[] => {
    const closed = together(group, draft) ? [] : end();
    group.push(draft);
    return closed;
  };
  return { add, end };
};
