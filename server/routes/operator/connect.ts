import { ConnectAnswer } from '../../../contract/operator.ts';
import { requireReader } from '../../auth/who.ts';
import type { Context } from '../../context.ts';
import type { App } from '../../http/request.ts';
import { mayBegin } from '../../operator-overview.ts';
import { Refusal } from '../../problems.ts';
import { answers } from '../answers.ts';

/** Beginning to connect a channel: anyone may add the bot to a channel of theirs, and only who began here has it accepted. */
export function connectRoutes(app: App, context: Context): void {
  app.post(
    '/api/operator/connect',
    { schema: { summary: 'Begin to connect a channel', tags: ['operator'], response: answers(ConnectAnswer) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      if (!mayBegin(reader, context.config))
        throw new Refusal(
          403,
          'Only operators connect channels to this site: ask one of them, or add the bot and wait to be accepted.',
        );
      if (context.bot === null) throw new Refusal(503, 'No bot is set up here: BOT_TOKEN is missing.');
      const invitation = await context.bot.invite(reader.id);
      if (invitation === null) throw new Refusal(503, 'Telegram cannot be reached just now: try again in a moment.');
      return invitation;
    },
  );
}
