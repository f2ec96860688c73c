// JSON-LD: structured data of channels and posts by schema.org.

import type { Channel } from '../../../contract/channel.ts';
import { plainText } from '../../../contract/plain-text.ts';
import type { Post } from '../../../contract/post.ts';
import { replaceInvalidXml, sanitizeLine, truncateLine } from '../../lib/markup.ts';
import { channelDescription, postTitle, publishedFiles } from '../post-summary.ts';
import { channelAddress, postAddress } from '../site.ts';

/** A schema.org object. */
type JsonLdNode = Readonly<Record<string, unknown>>;

/** Maximum length of a text. Longer texts are only on the page. */
const MAX_BODY_LENGTH = 5000;

/**
 * Serializes an object as a data block. Characters that would end the script or start a comment are escaped as in JSON.
 */
export const jsonLd = (node: JsonLdNode): string => {
  const json = JSON.stringify({ '@context': 'https://schema.org', ...node });
  return `<script type="application/ld+json">${replaceInvalidXml(json).replace(/[<>&\u2028\u2029]/g, escapeJson)}</script>`;
};

const escapeJson = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a channel as the author of its posts. */
function authorOf(channel: Channel, origin: string): JsonLdNode {
  const url = channelAddress(origin, channel);
  return {
    ...{ '@type': 'Organization', '@id': `${url}#channel`, name: sanitizeLine(channel.title), url },
    ...(channel.picture && { image: origin + channel.picture.src }),
  };
}

/** Returns a complete post. It contains only counts that the post's source reported. */
export function postJsonLd(post: Post, channel: Channel, origin: string): JsonLdNode {
  const url = postAddress(origin, channel, post.id);
  const body = replaceInvalidXml(plainText(post)).trim();
  const reactions = post.reactions.reduce((sum, { count }) => sum + count, 0);
  const signature = sanitizeLine(post.author ?? '');
  const author = authorOf(channel, origin);
  return {
    ...headlineOf(post, channel, origin),
    mainEntityOfPage: url,
    ...(body !== '' && { articleBody: truncateLine(body, MAX_BODY_LENGTH) }),
    ...(post.edited !== undefined && { dateModified: formatTime(post.edited) }),
    author: signature === '' ? author : [{ '@type': 'Person', name: signature }, author],
    ...(reactions > 0 && { interactionStatistic: counter('LikeAction', reactions) }),
  };
}

/** Returns a post for a list: its title and address. */
function headlineOf(post: Post, channel: Channel, origin: string): JsonLdNode {
  const url = postAddress(origin, channel, post.id);
  const images = publishedFiles(post, origin).filter(({ medium, media }) => medium === 'image' && media.spoiler !== true);
  return {
    ...{
      '@type': 'SocialMediaPosting',
      '@id': url,
      url,
      headline: postTitle(post, channel),
      datePublished: formatTime(post.date),
    },
    ...(images.length > 0 && { image: images.map((image) => image.url) }),
  };
}

/** Returns a channel's page, with its newest posts. */
export function channelJsonLd(channel: Channel, posts: readonly Post[], origin: string): JsonLdNode {
  const url = channelAddress(origin, channel);
  const about = channelDescription(channel);
  const newest = posts[0];
  return {
    ...{ '@type': 'ProfilePage', '@id': url, url, name: sanitizeLine(channel.title) },
    ...(newest && { dateModified: formatTime(Math.max(newest.date, newest.edited ?? 0)) }),
    mainEntity: {
      ...authorOf(channel, origin),
      ...(channel.username !== undefined && { alternateName: `@${channel.username}` }),
      ...(about !== '' && { description: about }),
      ...(channel.members !== undefined && { interactionStatistic: counter('FollowAction', channel.members) }),
    },
    hasPart: posts.map((post) => ({ ...headlineOf(post, channel, origin), author: { '@id': `${url}#channel` } })),
  };
}

/** Returns the page of all channels. */
export function networkJsonLd(site: string, channels: readonly Channel[], origin: string): JsonLdNode {
  const url = `${origin}/main`;
  return {
    ...{
      '@type': 'CollectionPage',
      '@id': url,
      url,
      name: site,
      isPartOf: { '@type': 'WebSite', name: site, url: `${origin}/` },
    },
    about: channels.map((channel) => authorOf(channel, origin)),
  };
}

const counter = (action: string, count: number): JsonLdNode => ({
  '@type': 'InteractionCounter',
  interactionType: `https://schema.org/${action}`,
  userInteractionCount: count,
});

const formatTime = (seconds: number): string => new Date(seconds * 1000).toISOString();
