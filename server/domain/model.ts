import type { Mark, PostKind } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Media, Post } from '../../contract/post.ts';
import type { OfPosts } from './channel-details.ts';

/** Where a post stands among all posts: newest first by (date, channelId, id). */
export interface Position {
  readonly date: number;
  readonly channelId: string;
  readonly id: number;
}

/** What is to change of a channel. */
export type ChannelChange = Omit<Channel, OfPosts | 'username' | 'about' | 'picture' | 'members' | 'since'> & {
  readonly [Field in 'username' | 'about' | 'picture' | 'members' | 'since']?: Channel[Field] | null;
};

/** Whose eyes an answer is for: everything public, and these private channels. */
export interface Audience {
  readonly privateChannels: readonly string[] | 'all';
}

/** A file of a message with the source's stable name for it, by which two versions of a message know it again. */
export type KeptMedia = Media & { readonly unique?: string };

/**
 * A file of a message that has to be fetched from its source: the media at `index`, its poster, or a live photo's clip.
 * `uniqueId` is the same for the same file everywhere; `fileId` is what the source gives it for. Sizes are bytes.
 */
export interface FileRef {
  readonly index: number;
  readonly part: 'file' | 'poster' | 'motion';
  readonly uniqueId: string;
  readonly fileId: string;
  readonly size?: number;
  readonly mime?: string;
  readonly width?: number;
  readonly height?: number;
}

/**
 * One message as a source gave it, before albums are put together.
 *
 * `albumId` is the source's own group id, or `e<first message id>` where an export only lets it be told by the second.
 * `seen` orders versions: unix seconds of the edit, else of the post. `source` breaks ties, the bot beats the export, and among
 * one source's `turn` does (the update's id). `pollId` is the source's name for the post's poll, by which its state may come
 * later. `raw` is the message as it came, kept beside and never answered, where something of it could not be read.
 */
export interface Message {
  readonly post: Omit<Post, 'media' | 'pinned' | 'gap' | 'gone'>;
  readonly media: readonly KeptMedia[];
  readonly albumId?: string;
  readonly source: 'bot' | 'export' | 'feed';
  readonly seen: number;
  readonly turn?: number;
  readonly pollId?: string;
  readonly raw?: string;
  readonly files?: readonly FileRef[];
}

/** What comes of a message apart from it, perhaps before it: the later `at` (unix seconds) and `turn` counts. */
export interface Told {
  readonly at: number;
  readonly turn: number;
}

export interface MediaFile {
  readonly key: string;
  readonly mime: string;
  readonly size: number;
  readonly width?: number;
  readonly height?: number;
  readonly placeholder?: string;
}

export interface PostsQuery {
  /** Channels to take from; all of the directory that the audience may read when absent. */
  readonly channelIds?: readonly string[];
  /** Older than this place. */
  readonly before?: Position;
  /** Newer than this place; the answer is still newest first, and is the `limit` posts next to the place. */
  readonly after?: Position;
  readonly limit: number;
  /** Only posts with a photo, video, animation, audio, voice or document. */
  readonly media?: boolean;
  /** Only posts of any of these kinds. */
  readonly kinds?: readonly PostKind[];
  /** Words to find; see server/domain/search.ts. Hashtags as `#tag`. */
  readonly match?: string;
  /** Unix seconds. */
  readonly from?: number;
  readonly to?: number;
}

/** A post and its dates, unix seconds. */
export interface PostDate {
  readonly id: number;
  readonly date: number;
  readonly changed: number;
}

/** Dates in unix seconds, both ends included, and how many posts at most; of the first second only those with ids above `above`. */
export interface DateRange {
  readonly from: number;
  readonly to: number;
  readonly above?: number;
  readonly limit: number;
}

/** How far a reader has read a channel, and the posts up to there that are kept unread. */
export interface ReadState extends Mark {
  readonly keptUnread?: readonly number[];
}
