import { type AtomFeed, generateAtomFeed } from 'feedsmith';
import { FEED_MIME_TYPES, type FeedEntry, feedAddress, type PublishedFeedPage } from './feed.ts';

/** Atom serializer: writes a page of a feed as Atom 1.0, with paging by RFC 5005. */
export function writeAtom(feed: PublishedFeedPage): string {
  const { id, title, about, home, picture, page, next } = feed;
  const { limit } = page;
  const links = [
    link('self', feedAddress(feed, 'atom', page)),
    { rel: 'alternate', href: home, type: 'text/html' },
    link('first', feedAddress(feed, 'atom', { limit })),
    ...(next === null ? [] : [link('next', feedAddress(feed, 'atom', { limit, before: next }))]),
  ];
  return generateAtomFeed({
    id,
    title: { value: title, type: 'text' },
    ...(about !== '' && { subtitle: { value: about, type: 'text' } }),
    updated: feed.updated,
    authors: [{ name: title, uri: home }],
    generator: { text: 'Channel Changer' },
    ...(picture !== null && { icon: picture, logo: picture }),
    links,
    entries: feed.entries.map((entry) => toAtomEntry(entry, id)),
  });
}

const link = (rel: string, href: string) => ({ rel, href, type: FEED_MIME_TYPES.atom });

function toAtomEntry(entry: FeedEntry, feedId: string): AtomFeed.Entry<Date> {
  const { author, signature, source } = entry;
  return {
    id: entry.id,
    title: { value: entry.title, type: 'text' },
    published: entry.published,
    updated: entry.updated,
    authors: [...(signature === null ? [] : [{ name: signature }]), { name: author.name, uri: author.url }],
    content: { value: entry.html, type: 'html' },
    categories: entry.tags.map((term) => ({ term })),
    links: [
      { rel: 'alternate', href: entry.url, type: 'text/html' },
      ...(entry.origin === null ? [] : [{ rel: 'via', href: entry.origin }]),
      ...entry.files.map(({ url, mime, size, title }) => ({
        ...{ rel: 'enclosure', href: url, type: mime },
        ...(size !== null && { length: size }),
        ...(title !== null && { title }),
      })),
    ],
    ...(source.id !== feedId && {
      source: {
        id: source.id,
        title: { value: source.title, type: 'text' },
        updated: entry.updated,
        links: [link('self', `${source.feed}.atom`)],
      },
    }),
  };
}
