/** Domain model: types of stored messages, files, read permissions and post queries. */
import type { PostKind, ReadMarker } from '../../contract/api.ts';
import type { Channel } from '../../contract/channel.ts';
import type { Media, Post } from '../../contract/post.ts';
import type { DerivedChannelField } from './channel-details.ts';

/** Position of a post among all posts: newest first by (date, channelId, id). */
export interface PostPosition {
  readonly date: number;
  readonly channelId: string;
  readonly id: number;
}

/** Changes to a channel; null removes a field. */
export type ChannelChange = Omit<Channel, DerivedChannelField | 'username' | 'about' | 'picture' | 'members' | 'since'> & {
  readonly [Field in 'username' | 'about' | 'picture' | 'members' | 'since']?: Channel[Field] | null;
};

/** Read permissions of the caller: all public channels, and these private ones. */
export interface AccessScope {
  readonly privateChannels: readonly string[] | 'all';
}

/** File of a message with the source's stable id for it, by which two versions of a message recognize the same file. */
export type StoredMedia = Media & { readonly unique?: string };

/**
 * File of a message that has to be downloaded from its source: the media at `index`, its poster, or a live photo's clip.
 * `uniqueId` is the same for the same file everywhere. The source returns the file for `fileId`. Sizes are bytes.
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
 * A message as a source sent it, before albums are assembled.
 *
 * `albumId` is the source's own group id, or `e<first message id>` where an export shows the group only by the second. `seen`
 * orders versions: unix seconds of the edit, else of the post. `source` breaks ties (the bot precedes the export), and then
 * `sequence` (the update's id) within one source. `pollId` is the source's id of the post's poll; the poll's state may arrive later
 * under it. `raw` is the original message if a part of it could not be parsed. It is stored separately and never sent in a
 * response.
 */
export interface Message {
  readonly post: Omit<Post, 'media' | 'pinned' | 'gap' | 'gone'>;
  readonly media: readonly StoredMedia[];
  readonly albumId?: string;
  readonly source: 'bot' | 'export' | 'feed';
  readonly seen: number;
  readonly sequence?: number;
  readonly pollId?: string;
  readonly raw?: string;
  readonly files?: readonly FileRef[];
}

/**
 * Version stamp of data about a message that arrives separately, perhaps before the message: the later `at` (unix seconds), then
 * `sequence`, takes precedence.
 */
export interface VersionStamp {
  readonly at: number;
  readonly sequence: number;
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
  /** Channels to read. Default: all listed channels that the caller may read. */
  readonly channelIds?: readonly string[];
  /** Only posts older than this position. */
  readonly before?: PostPosition;
  /**
   * Only posts newer than this position. The result is still newest first, and consists of the `limit` posts next to the
   * position.
   */
  readonly after?: PostPosition;
  readonly limit: number;
  /** Only posts with a photo, video, animation, audio, voice message or document. */
  readonly media?: boolean;
  /** Only posts of any of these kinds. */
  readonly kinds?: readonly PostKind[];
  /** Search query; see `server/domain/search.ts`. Hashtags as `#tag`. */
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

/**
 * Date range in unix seconds, both ends included, and the maximum number of posts. Of the first second, only posts with ids above
 * `above`.
 */
export interface DateRange {
  readonly from: number;
  readonly to: number;
  readonly above?: number;
  readonly limit: number;
}

/** Read state of a channel: the read marker, and the posts up to it that are marked as unread. */
export interface ReadState extends ReadMarker {
  readonly keptUnread?: readonly number[];
}
