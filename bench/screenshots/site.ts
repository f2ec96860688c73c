import { startBotApi } from '../../test/bot-api/bot-api.ts';
import { startServer } from '../../test/support/server.ts';
import { startForeignSite } from './foreign-site.ts';

/** Server for screenshots: the demo network, a bot, an operator, and actions of that operator. */
export interface Site {
  readonly origin: string;
  /** Origin of another site's pages with our tags. */
  readonly thirdPartyOrigin: string;
  /** Returns signed launch data of a Telegram user. */
  launchData(user: number, language?: string): Promise<string>;
  readonly operator: number;
  stop(): Promise<void>;
}

/** Starts the server. The caller must call `stop()`. */
export async function startSite(): Promise<Site> {
  const telegram = await startBotApi();
  const { root, token, operator } = telegram;
  const env = {
    BOT_API_ROOT: root,
    BOT_TOKEN: token,
    OPERATOR_IDS: String(operator.id),
    BOT_APP: 'https://t.me/changer_test_bot/app',
  };
  const server = await startServer({ development: true, env });
  const { origin } = server;
  const thirdPartySite = await startForeignSite(origin);
  const launchData = async (user: number, language = 'en') =>
    (await fetch(`${origin}/dev/launch-data?user=${user}&name=Olga&language=${language}`)).text();
  const site = {
    origin,
    thirdPartyOrigin: thirdPartySite.origin,
    launchData,
    operator: operator.id,
    async stop() {
      await thirdPartySite.stop();
      await server.stop();
      await telegram.close();
    },
  };
  await hidePosts(site);
  return site;
}

/** Hides two posts, so that the pages for hidden posts and for the history have content. */
async function hidePosts({ origin, operator, launchData }: Site): Promise<void> {
  const response = await fetch(`${origin}/api/telegram/auth/webapp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ initData: await launchData(operator) }),
  });
  const session: unknown = await response.json();
  const headers = { 'Access-Token': String(Reflect.get(Object(session), 'Access-Token')) };
  for (const post of ['1000000001/19', '1000000002/600'])
    await fetch(`${origin}/api/operator/hidden/${post}`, { method: 'PUT', headers });
}
