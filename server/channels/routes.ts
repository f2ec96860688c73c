import { Type } from 'typebox';
import { PagedChannels } from '../../contract/api.ts';
import { Channel } from '../../contract/channel.ts';
import { MAX_CHANNELS_PER_REQUEST } from '../../contract/limits.ts';
import { accessScopeOf } from '../auth/identity.ts';
import { HttpError } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { ChannelListParam, ChannelParams, CursorParam, responses } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';
import { type FindChannelDeps, findChannel, parseChannelNames, touchExternalChannels } from './find.ts';
import { type SerializeDeps, serializeChannels } from './serialize.ts';

/** Services that this module uses. */
export type ChannelRouteDeps = FindChannelDeps &
  SerializeDeps & {
    readonly store: Pick<Store, 'channelPage'>;
  };

/** Number of channels in a page, unless the request sets it. */
const DEFAULT_PAGE_CHANNELS = 100;

/** Creates the opaque cursor of a position in the directory. */
const encodePosition = (position: number): string => Buffer.from(`channel ${position}`).toString('base64url');

/** Parses a cursor. Throws an `HttpError`, 400, if this API did not create it. */
function decodePosition(cursor: string): number {
  const [, digits] = /^channel (\d{1,15})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (digits === undefined) throw new HttpError(400, 'after is not a cursor of this API: use the "next" of a page.');
  return Number(digits);
}

const ChannelsQuerystring = Type.Object({
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Only channels whose title or username contains this text' })),
  after: Type.Optional(CursorParam),
  limit: Type.Integer({ minimum: 1, maximum: MAX_CHANNELS_PER_REQUEST, default: DEFAULT_PAGE_CHANNELS }),
  ids: Type.Optional(
    Type.String({ ...ChannelListParam, description: 'Ids or usernames: returns these channels, in this order, and no page' }),
  ),
  also: Type.Optional(
    Type.String({ ...ChannelListParam, description: 'Ids: returns these channels too, after those of the page' }),
  ),
});

/** Channel routes: pages of the directory, several channels by their names, or one. */
export function channelRoutes(app: App, deps: ChannelRouteDeps): void {
  const tags = ['channels'];

  app.get(
    '/api/channels',
    {
      schema: {
        summary: 'Listed channels by pages or by name, or the channels that `ids` names',
        tags,
        querystring: ChannelsQuerystring,
        response: responses(PagedChannels),
      },
    },
    async (request) => {
      const { also = '', ids, q, after, limit } = request.query;
      const accessScope = await accessScopeOf(request);
      const page =
        ids === undefined
          ? await deps.store.channelPage(
              { limit, ...(q !== undefined && { match: q }), ...(after !== undefined && { after: decodePosition(after) }) },
              accessScope,
            )
          : { channels: await deps.store.channelsNamed(parseChannelNames('ids', ids), accessScope), next: null };
      const shownIds = new Set(page.channels.map((channel) => channel.id));
      const additionalNames = parseChannelNames('also', also).filter((name) => !shownIds.has(name));
      const additional = additionalNames.length === 0 ? [] : await deps.store.channelsNamed(additionalNames, accessScope);
      const channels = [...page.channels, ...additional.filter(({ id }) => !shownIds.has(id))];
      await touchExternalChannels(channels, deps);
      return {
        items: serializeChannels(channels, deps),
        next: page.next === null ? null : encodePosition(page.next),
      };
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
