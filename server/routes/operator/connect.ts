import { ConnectAnswer } from '../../../contract/operator.ts';
import { requireReader } from '../../auth/identity.ts';
import type { Config } from '../../config.ts';
import { Refusal } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { answers } from '../../http/schemas.ts';
import { mayBegin } from '../../operators/overview.ts';
import type { Bot } from '../../sources/telegram/bot.ts';

/** Services that this module uses. */
export type ConnectDeps = {
  readonly config: Config;
  readonly bot: Bot | null;
};

/** Beginning to connect a channel: anyone may add the bot to a channel of theirs, and only who began here has it accepted. */
export function connectRoutes(app: App, deps: ConnectDeps): void {
  app.post(
    '/api/operator/connect',
    { schema: { summary: 'Begin to connect a channel', tags: ['operator'], response: answers(ConnectAnswer) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      if (!mayBegin(reader, deps.config))
        throw new Refusal(
          403,
          'Only operators connect channels to this site: ask one of them, or add the bot and wait to be accepted.',
        );
      if (deps.bot === null) throw new Refusal(503, 'No bot is set up here: BOT_TOKEN is missing.');
      const invitation = await deps.bot.invite(reader.id);
      if (invitation === null) throw new Refusal(503, 'Telegram cannot be reached just now: try again in a moment.');
      return invitation;
    },
  );
}
