import type { TestContext } from 'node:test';
import type { OperatorChannel, OperatorOverview } from '../../../../contract/operator.ts';
import { startMediaJobs } from '../../../../server/jobs/start.ts';
import { createBotFileSource } from '../../../../server/sources/telegram/file-source.ts';
import { type BotApi, startBotApi } from '../../../bot-api/bot-api.ts';
import { until } from '../../../support/browser.ts';
import { makeApp, signIn as signInto, type TestApp } from '../../support/make-app.ts';

/** A site whose bot is connected to its own Bot API double. The operator of the double is also an operator of the site. */
export interface BotSite extends TestApp {
  readonly telegram: BotApi;
  /** Signs a user in. The launch data is signed with the token of the double. */
  signIn(id: number): Promise<{ 'access-token': string }>;
  /** Returns a channel as an operator sees it; undefined while it does not exist. */
  seen(channelId: string, headers: { 'access-token': string }): Promise<OperatorChannel | undefined>;
  overview(headers: { 'access-token': string }): Promise<OperatorOverview>;
}

/** Creates the site. With `start`, its bot starts to receive updates at once. */
export async function makeBotSite(t: TestContext, environment: Record<string, string> = {}, start = true): Promise<BotSite> {
  const telegram = await startBotApi();
  const bot = { BOT_TOKEN: telegram.token, BOT_API_ROOT: telegram.root, OPERATOR_IDS: String(telegram.operator.id) };
  const testApp = await makeApp(t, { ...bot, ...environment });
  t.after(() => telegram.close());
  const signIn = (id: number) => signInto(testApp, id, telegram.token);
  const overview = async (headers: { 'access-token': string }): Promise<OperatorOverview> =>
    (await testApp.app.inject({ url: '/api/operator/channels', headers })).json();
  if (start && testApp.context.bot) {
    testApp.context.bot.start();
    const source = createBotFileSource(testApp.context.bot.api, null);
    t.after(
      startMediaJobs({
        config: testApp.context.config,
        store: testApp.store,
        mediaStore: testApp.mediaStore,
        source,
        log: (line) => void testApp.lines.push(line),
      }),
    );
    await until(async () => telegram.callsOf('getUpdates').length > 0, 'the bot polls');
  }
  return {
    ...testApp,
    telegram,
    signIn,
    overview,
    seen: async (channelId, headers) => (await overview(headers)).channels.find(({ channel }) => channel.id === channelId),
  };
}
