/** Telegram webhook route: authenticates and receives the updates that Telegram posts. */
import { Type } from 'typebox';
import { HttpError } from '../../http/errors.ts';
import type { App } from '../../http/request.ts';
import { noContent } from '../../http/schemas.ts';
import type { Store } from '../../storage/ports/store.ts';
import { updateIdOf } from './apply-update.ts';
import type { Bot } from './bot.ts';
import { matchesSecret, readWebhookSecret, WEBHOOK_PATH } from './receive-updates.ts';

/** Services that the route uses. */
export type WebhookDeps = {
  readonly store: Store;
  readonly bot: Bot | null;
};

/**
 * Maximum size of an update in bytes. A rich message has about 32,000 characters, and JSON may encode each with six
 * bytes.
 */
const MAX_UPDATE_BYTES = 512 * 1024;

/**
 * Registers the route to which Telegram posts updates. Status 200 confirms that an update is durably stored; after any
 * other status Telegram sends it again.
 */
export function telegramRoutes(app: App, deps: WebhookDeps): void {
  app.post(
    WEBHOOK_PATH,
    {
      bodyLimit: MAX_UPDATE_BYTES,
      config: { writableBy: 'telegram' },
      // Runs before the body is parsed, so that untrusted bodies cost no time.
      onRequest: async ({ headers }) => {
        const secret = headers['x-telegram-bot-api-secret-token'];
        if (deps.bot === null || typeof secret !== 'string' || !matchesSecret(secret, await readWebhookSecret(deps.store)))
          throw new HttpError(401, 'Only Telegram may post updates here.');
      },
      schema: { hide: true, body: Type.Unknown(), response: { ...noContent, 200: Type.Null() } },
    },
    async (request, reply) => {
      if (updateIdOf(request.body) === null) throw new HttpError(400, 'The body is not an update of the Bot API.');
      await deps.bot?.handleUpdate(request.body);
      return reply.header('cache-control', 'no-store').send(null);
    },
  );
}
