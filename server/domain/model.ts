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

/** Read permissions of operators, and of code that acts for no reader: all channels. */
export const FULL_ACCESS: AccessScope = { privateChannels: 'all' };

/**
 * Media item of a message. `unique` is the source's id of its file: the `uniqueId` of its `FileRef`. By this id, two
 * versions of a message recognize the same file. The field is part of the stored JSON.
 */
export type StoredMedia = Media & { readonly unique?: string };

/** File of a message that has to be downloaded from its source. */
export interface FileRef {
  /** Index of the media item in the message. */
  readonly index: number;
  /** The media item's own file, its poster, or the clip of a live photo. */
  readonly part: 'file' | 'poster' | 'motion';
  /** The source's id of the file. It is the same in every message that contains the file. */
  readonly uniqueId: string;
  /** The id for which the source returns the file. A later message may have another one for the same file. */
  readonly fileId: string;
  /** Bytes. */
  readonly size?: number;
  readonly mime?: string;
  readonly width?: number;
  readonly height?: number;
}

/** A version of a message as a source sent it, before albums are assembled. */
export interface Message {
  readonly post: Omit<Post, 'media' | 'pinned' | 'gap' | 'gone'>;
  readonly media: readonly StoredMedia[];
  /** The source's own id of the album. An export has no such ids, so its albums have `e<first message id>`. */
  readonly albumId?: string;
  /** Of two versions with the same time, the bot's takes precedence over a feed's, and a feed's over an export's. */
  readonly source: 'bot' | 'export' | 'feed';
  /**
   * Time of this version, unix seconds: of the edit, or of the post if it was never edited. The latest version is
   * shown.
   */
  readonly modifiedAt: number;
  /** The id of Telegram's update. It orders versions of one source with the same time. */
  readonly sequence?: number;
  /** The source's id of the post's poll. The state of the poll may arrive later under this id. */
  readonly pollId?: string;
  /** The original message if a part of it could not be parsed. It is stored separately and never sent in a response. */
  readonly raw?: string;
  readonly files?: readonly FileRef[];
}

/**
 * Version stamp of data about a message that arrives separately, perhaps before the message. The later stamp takes
 * precedence: by `at`, then by `sequence`.
 */
export interface VersionStamp {
  /** Time of the report, unix seconds. */
  readonly at: number;
  /** The id of Telegram's update. */
  readonly sequence: number;
}

/** A stored file and its properties. */
export interface MediaFile {
  /** The name of the file on the disk, which is also the last part of its URL. */
  readonly key: string;
  readonly mime: string;
  readonly size: number;
  readonly width?: number;
  readonly height?: number;
  readonly placeholder?: string;
}

/** Filters, range and size of a list of posts. */
export interface PostsQuery {
  /** Channels to read. Default: all listed channels that the caller may read. */
  readonly channelIds?: readonly string[];
  /** Only posts older than this position. */
  readonly before?: PostPosition;
  /**
   * Only posts newer than this position. The result is still newest first, and consists of the `limit` posts that are
   * closest to the position.
   */
  readonly after?: PostPosition;
  readonly limit: number;
  /** Only posts with a photo, video, animation, audio, voice message or document. */
  readonly media?: boolean;
  /** Only posts of any of these kinds. */
  readonly kinds?: readonly PostKind[];
  /** Search query; see `server/domain/search.ts`. Hashtags as `#tag`. */
  readonly match?: string;
  /** Earliest and latest date, unix seconds. */
  readonly from?: number;
  readonly to?: number;
}

/** Range and search text of a page of the directory. */
export interface DirectoryQuery {
  /** Position of the last channel of the previous page: its `next`. */
  readonly after?: number;
  /** Text that the title or the username contains, without differences of case and marks; '' for all channels. */
  readonly match?: string;
  readonly limit: number;
}

/** The dates of a post, unix seconds. */
export interface PostDate {
  readonly id: number;
  /** Time of publication. */
  readonly date: number;
  /** Time of the last edit, or of publication if the post was never edited. */
  readonly modifiedAt: number;
}

/** The dates between which a channel has posts, unix seconds. Hidden posts are not counted. */
export interface PostSpan {
  /** Date of the oldest post or service message. */
  readonly firstDate: number;
  /** Date of the one at the requested offset after it; null if there are fewer. */
  readonly dateAtOffset: number | null;
  /** False if the channel has only service messages. */
  readonly hasPosts: boolean;
}

/** Posts of a channel between two dates. */
export interface DateRange {
  /** Unix seconds, included. */
  readonly from: number;
  /** Unix seconds, included. */
  readonly to: number;
  /**
   * The id of the last post of the previous part of the list. Of the posts dated `from`, only those with a greater id.
   */
  readonly afterId?: number;
  /** Maximum number of posts. */
  readonly limit: number;
}

/** Read state of a channel: the read marker, and the posts up to it that are marked as unread. */
export interface ReadState extends ReadMarker {
  readonly keptUnread?: readonly number[];
}
