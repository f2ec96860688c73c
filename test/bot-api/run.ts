// Starts the Bot API double from the command line: `node --import tsx test/bot-api/run.ts [port]`. It creates one channel that
// the bot is in and posts every kind of post, then one text post each time Enter is pressed.
import { createInterface } from 'node:readline';
import { startBotApi } from './bot-api.ts';

const telegram = await startBotApi({ port: Number(process.argv[2] ?? 0) });
const harbour = telegram.channel({
  title: 'Harbour',
  username: 'harbour_double',
  description: 'Made for trying things.',
  others: 41,
});
harbour.addBot(telegram.operator);
const { make } = telegram;
for (const content of [
  make.text('First light'),
  make.photo('Fog'),
  make.video(),
  make.voice(),
  make.document(),
  make.sticker(),
  make.checklist(),
  make.rich(),
])
  harbour.post(content);
harbour.album([make.photo('Three of them'), make.photo(), make.photo()]);
process.stdout.write(`BOT_API_ROOT=${telegram.root} BOT_TOKEN=${telegram.token} OPERATOR_IDS=${telegram.operator.id}\n`);
createInterface(process.stdin).on('line', (line) => harbour.post(make.text(line || `It is ${new Date().toISOString()}`)));
