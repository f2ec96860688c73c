import type { Reader } from '../contract/api.ts';
import type { Channel } from '../contract/channel.ts';
import type { Act } from '../contract/operator.ts';
import type { Context } from './context.ts';

/** Writes down what a reader did, to a channel or to the whole site. */
export const noteAct = (
  context: Context,
  reader: Pick<Reader, 'id'>,
  act: Act['act'],
  { channel, detail }: { readonly channel?: Pick<Channel, 'id' | 'title'>; readonly detail?: string } = {},
): Promise<void> =>
  context.store.putAct({
    at: Math.floor(context.now() / 1000),
    actorId: reader.id,
    act,
    ...(channel && { channelId: channel.id, channelTitle: channel.title }),
    ...(detail !== undefined && { detail }),
  });
