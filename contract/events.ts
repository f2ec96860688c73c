// What GET /api/events tells readers' pages, and how they read it.

import type { Channel } from './channel.ts';
import { channel, post } from './parse.ts';
import type { Post } from './post.ts';
import { number, optional, type Parse, shape, string, word } from './shape.ts';

/**
 * One thing that happened. `new` and `edited` carry the post as it is when it is sent; `hidden` names a post that left, or
 * without an id a channel that may not be read any more; `channel` one that changed or can be read now; `refresh` one of which
 * many posts changed; `reader` that the reader's own line-up, marks, stars or posts kept unread did, on another device. After `reset` nothing that was read before counts: what happened is not known any more.
 */
export type Happening =
  | { readonly type: 'new'; readonly post: Post; readonly channel: Channel }
  | { readonly type: 'edited'; readonly post: Post; readonly channel: Channel }
  | { readonly type: 'hidden'; readonly channelId: string; readonly id?: number }
  | { readonly type: 'channel'; readonly channel: Channel }
  | { readonly type: 'refresh'; readonly channelId: string }
  | { readonly type: 'reader' }
  | { readonly type: 'reset' };

const posted = shape<{ post: Post; channel: Channel }>({ post, channel });

/** What each kind holds beside its name. */
const KINDS: { readonly [Kind in Happening['type']]: Parse<object> } = {
  new: posted,
  edited: posted,
  hidden: shape<{ channelId: string; id?: number }>({ channelId: string, id: optional(number) }),
  channel: shape<{ channel: Channel }>({ channel }),
  refresh: shape<{ channelId: string }>({ channelId: string }),
  reader: shape<object>({}),
  reset: shape<object>({}),
};
const kindOf = shape<Pick<Happening, 'type'>>({
  type: word<Happening['type']>(KINDS),
});

/** Reads an event; a ParseError for one that is torn, or of a kind that a newer server may know. */
export const happening: Parse<Happening> = (raw, at) => {
  const { type } = kindOf(raw, at);
  // Sound: each kind's reader has read what it holds.
  return { type, ...KINDS[type](raw, at) } as Happening;
};
