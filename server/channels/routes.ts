import { Type } from 'typebox';
import { PagedChannels } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { accessScopeOf } from '../auth/identity.ts';
import type { App } from '../http/request.ts';
import { ChannelListParam, ChannelParams, responses } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FindChannelDeps, findChannel, parseChannelNames, touchExternalChannels } from './find.ts';
import { type SerializeDeps, serializeChannels } from './serialize.ts';

/** Services that this module uses. */
export type ChannelRouteDeps = FindChannelDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'channels'>;
  };

const ChannelsQuerystring = Type.Object({ also: Type.Optional(ChannelListParam) });

/** Channel routes: all channels, or one. */
export function channelRoutes(app: App, deps: ChannelRouteDeps): void {
  const tags = ['channels'];

  app.get(
    '/api/channels',
    {
      schema: {
        summary: 'All listed channels, and the reader-added channels that `also` names',
        tags,
        querystring: ChannelsQuerystring,
        response: responses(PagedChannels),
      },
    },
    async (request) => {
      const { also = '' } = request.query;
      const channels = await deps.store.channels(await accessScopeOf(request), parseChannelNames('also', also));
      await touchExternalChannels(channels, deps);
      return { items: serializeChannels(channels, deps), next: null };
    },
  );

  app.get(
    '/api/channels/:id',
    { schema: { summary: 'One channel', tags, params: ChannelParams, response: responses(Channel) } },
    async (request) => {
      const channel = await findChannel(request.params.id, await accessScopeOf(request), deps);
      return serializeChannels([channel], deps)[0] ?? channel;
    },
  );
}
