// Server-sent events: the events that GET /api/events sends to readers' pages, and their parser.

import type { Channel } from './channel.ts';
import { channel, post } from './parse.ts';
import type { Post } from './post.ts';
import { number, oneOf, optional, type Parse, shape, string } from './shape.ts';

/**
 * A live event. `new` and `edited` carry the post as it is at the time of sending. `hidden` names a post that was
 * removed, or, without an id, a channel that may no longer be read. `channel` names a channel that changed or became
 * readable. `refresh` names a channel of which many posts changed. `reader` means that the reader's own line-up, read
 * markers, stars or posts kept unread changed on another device. `reset` means that the server no longer has the events
 * that the page missed: all data that the page fetched before may be outdated.
 */
export type LiveEvent =
  | { readonly type: 'new'; readonly post: Post; readonly channel: Channel }
  | { readonly type: 'edited'; readonly post: Post; readonly channel: Channel }
  | { readonly type: 'hidden'; readonly channelId: string; readonly id?: number }
  | { readonly type: 'channel'; readonly channel: Channel }
  | { readonly type: 'refresh'; readonly channelId: string }
  | { readonly type: 'reader' }
  | { readonly type: 'reset' };

const parsePostEvent = shape<{ post: Post; channel: Channel }>({ post, channel });

/** Parsers of the payloads (all fields except `type`) by event type. */
const EVENT_PARSERS: { readonly [Type in LiveEvent['type']]: Parse<object> } = {
  new: parsePostEvent,
  edited: parsePostEvent,
  hidden: shape<{ channelId: string; id?: number }>({ channelId: string, id: optional(number) }),
  channel: shape<{ channel: Channel }>({ channel }),
  refresh: shape<{ channelId: string }>({ channelId: string }),
  reader: shape<object>({}),
  reset: shape<object>({}),
};
const parseEventType = shape<Pick<LiveEvent, 'type'>>({
  type: oneOf<LiveEvent['type']>(EVENT_PARSERS),
});

/**
 * Parses an event. Throws a `ParseError` if the event is malformed, or of an unknown type, such as one of a newer
 * server.
 */
export const parseLiveEvent: Parse<LiveEvent> = (raw, path) => {
  const { type } = parseEventType(raw, path);
  // The cast is sound: the parser of this type has checked the payload.
  return { type, ...EVENT_PARSERS[type](raw, path) } as LiveEvent;
};
