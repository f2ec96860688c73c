import { Type } from 'typebox';
import { ChannelPage } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { audienceOf } from '../auth/identity.ts';
import type { App } from '../http/request.ts';
import { answers, ChannelList, ChannelParams } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FindChannelDeps, findChannel, namesIn, noteAsked } from './find.ts';
import { presentChannels, type SerializeDeps } from './serialize.ts';

/** Services that this module uses. */
export type ChannelRouteDeps = FindChannelDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'channels'>;
  };

const ChannelsQuerystring = Type.Object({ also: Type.Optional(ChannelList) });

/** Channel routes: all channels, or one. */
export function channelRoutes(app: App, deps: ChannelRouteDeps): void {
  const tags = ['channels'];

  app.get(
    '/api/channels',
    {
      schema: {
        summary: 'Every channel, and those from elsewhere that `also` names',
        tags,
        querystring: ChannelsQuerystring,
        response: answers(ChannelPage),
      },
    },
    async (request) => {
      const { also = '' } = request.query;
      const channels = await deps.store.channels(await audienceOf(request), namesIn('also', also));
      await noteAsked(channels, deps);
      return { items: presentChannels(channels, deps), next: null };
    },
  );

  app.get(
    '/api/channels/:id',
    { schema: { summary: 'One channel', tags, params: ChannelParams, response: answers(Channel) } },
    async (request) => {
      const channel = await findChannel(request.params.id, await audienceOf(request), deps);
      return presentChannels([channel], deps)[0] ?? channel;
    },
  );
}
