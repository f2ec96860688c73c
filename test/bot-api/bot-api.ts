// Bot API double: a fake Telegram server on loopback, for tests, the crash test and the development page. It contains channels,
// people and files. It sends the bot only the updates that Telegram would send, and its errors have the texts of Telegram.
//
//   const telegram = await startBotApi();                    // BOT_API_ROOT=telegram.root  BOT_TOKEN=telegram.token
//   const harbour = telegram.channel({ title: 'Harbour', username: 'harbour', others: 120 });
//   harbour.addBot(telegram.operator);                       // my_chat_member; from now on the bot receives the posts
//   const post = harbour.post(telegram.make.photo('Fog'));   // channel_post; telegram.make has a function for each kind
//   harbour.edit(post.message_id, { caption: 'Thick fog' }); // also: album, react, pin, closePoll, rename, setPhoto, delete, …
//   telegram.fail('getFile', { retryAfter: 1 }, 2);          // the next two calls get 429 with retry_after; see Fault
//   telegram.updates.hold(); …; telegram.updates.release(mixed(7, 0.2));   // shuffled, a fifth of them twice
//   telegram.webhook.delivery = { backOff: [5, 50], shuffle: 7, repeat: 0.2 };   // before setWebhook; `attempts` has all
//   telegram.calls                                           // the calls of the bot, with their arguments
//   await telegram.close();
//
// From the command line: `node --import tsx test/bot-api/run.ts`.
//
// A bot receives updates of a channel only as its administrator. It receives none about deleted messages, new usernames and
// views. Updates are stored until they are confirmed (by an offset, or by a 2xx response of the webhook). An update whose type
// is not in `allowed_updates` is discarded at once.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { User } from '@grammyjs/types';
import { type Args, BotApiError, conflict, notFound, unauthorized } from './answer.ts';
import { Channel, type ChannelOptions } from './channel.ts';
import { makeContents } from './contents.ts';
import { type Fault, Faults } from './faults.ts';
import { Files } from './files.ts';
import { argsOf, sendBytes, sendJson } from './http.ts';
import { callMethod, type Telegram } from './methods.ts';
import { loadSamples } from './samples.ts';
import { type UpdateContent, Updates } from './updates.ts';
import { Webhook } from './webhook.ts';
import { chatWith, person } from './world.ts';

export interface BotApiOptions {
  readonly token?: string;
  /** 0 for any free port. */
  readonly port?: number;
}

export interface Call {
  readonly method: string;
  readonly args: Args;
}

/** A token with the format of the tokens of Telegram. */
export const TEST_TOKEN = '7000000001:AAFtest-token_for-the-double_0123456789';

const BOT = {
  username: 'changer_test_bot',
  can_join_groups: true,
  can_read_all_group_messages: false,
  can_connect_to_business: false,
};
const OTHER_CAPABILITIES = {
  supports_inline_queries: false,
  has_main_web_app: true,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
};

const makeTelegram = (token: string): Telegram => {
  const updates = new Updates();
  const bot = { ...person(Number(token.split(':')[0]), 'Changer'), ...BOT, ...OTHER_CAPABILITIES, is_bot: true as const };
  const now = () => Math.floor(Date.now() / 1000);
  return { bot, users: new Map(), files: new Files(), updates, now, channels: new Map(), webhook: new Webhook(updates) };
};

/** Starts the double. Call close() when done. */
export const startBotApi = async ({ token = TEST_TOKEN, port = 0 }: BotApiOptions = {}) => {
  const telegram = makeTelegram(token);
  const { files, updates, users, channels, webhook } = telegram;
  const faults = new Faults();
  const calls: Call[] = [];
  const samples = await loadSamples();
  const make = makeContents(files, samples);
  const server = createServer((request, response) => void handle(request, response));

  const call = async (method: string, args: Args, request: IncomingMessage): Promise<object> => {
    const lowerCaseMethod = method.toLowerCase();
    if (lowerCaseMethod === 'setwebhook') return { result: true, description: webhook.set(args) };
    if (lowerCaseMethod === 'deletewebhook') return { result: true, description: webhook.remove(args) };
    if (lowerCaseMethod !== 'getupdates') return { result: callMethod(telegram, method, args) };
    if (webhook.url !== '')
      throw conflict("can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first");
    return { result: await updates.poll(args, () => request.socket.destroyed) };
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = new URL(request.url ?? '/', 'http://telegram');
    const [, isFile, requestToken, path] = /^\/(file\/)?bot([^/]+)\/(.+)$/.exec(decodeURIComponent(address.pathname)) ?? [];
    if (requestToken === undefined || path === undefined) throw notFound();
    const args = await argsOf(request, address);
    if (requestToken !== token) throw unauthorized();
    const method = isFile ? 'file' : path;
    calls.push({ method, args: isFile ? { path } : args });
    const faultResponse = await faults.meet(method);
    if (faultResponse === 'reset') return void request.socket.destroy();
    if (faultResponse)
      return void response.writeHead(faultResponse.status, { 'content-type': 'text/html' }).end(faultResponse.html);
    const bytes = isFile ? files.fetch(path) : undefined;
    if (bytes === null) throw notFound();
    if (bytes) sendBytes(request, response, bytes);
    else sendJson(response, 200, { ok: true, ...(await call(method, args, request)) });
  };

  const handle = (request: IncomingMessage, response: ServerResponse): Promise<void> =>
    serve(request, response).catch((error: unknown) => {
      const refusal = error instanceof BotApiError ? error : new BotApiError(500, `Internal Server Error: ${String(error)}`);
      if (!response.headersSent) sendJson(response, refusal.code, refusal.body());
    });

  const user = (id: number, name: string, more: Partial<User> = {}): User => {
    const newUser = person(id, name, more);
    users.set(id, newUser);
    return newUser;
  };
  const operator = user(100_001, 'Olga', { username: 'olga_operates' });

  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const root = `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : port}`;

  return {
    root,
    token,
    calls,
    make,
    samples,
    operator,
    ...telegram,
    user,
    /** Creates a channel. Its default owner is the operator. Its id has the prefix -100, as bots of Telegram see it. */
    channel(facts: Omit<ChannelOptions, 'owner'> & { readonly owner?: User; readonly id?: number }): Channel {
      const id = facts.id ?? -1_001_500_000_001 - channels.size;
      const newChannel = new Channel(telegram, id, { owner: operator, ...facts });
      channels.set(id, newChannel);
      return newChannel;
    },
    /** Chooses a channel for the requestChat button of the bot, as `from`. */
    share({ id, title, username }: Channel, request_id: number, from: User = operator): void {
      const chat_shared = { request_id, chat_id: id, title, ...(username === undefined ? {} : { username }) };
      updates.add({ message: { message_id: 1, from, chat: chatWith(from), date: telegram.now(), chat_shared } });
    },
    /** Sets the clock of Telegram, in unix seconds. */
    setClock(now: () => number): void {
      telegram.now = now;
    },
    addUpdate: (news: UpdateContent): number | undefined => updates.add(news),
    fail: (method: string, fault: Fault, times?: number): (() => void) => faults.arm(method, fault, times),
    /** Returns the arguments of all calls of a method, in order. */
    callsOf: (method: string): Args[] =>
      calls.filter((one) => one.method.toLowerCase() === method.toLowerCase()).map(({ args }) => args),
    async close(): Promise<void> {
      webhook.stop();
      updates.endPolling();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export type BotApi = Awaited<ReturnType<typeof startBotApi>>;
