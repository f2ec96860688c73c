// Server of the notification benchmark, in a process of its own: a channel with some posts and many subscribers.
// Arguments: the port of the push service, and the number of subscribers. A message from the parent process adds a post.
import { createECDH, randomBytes } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createNotificationService } from '../server/notifications/service.ts';
import { testPost } from '../test/server/notifications/push-service.ts';
import { channel, makeApp, message } from '../test/server/support/make-app.ts';

const [port, subscriberCount] = process.argv.slice(2).map(Number);
const scope = { after: () => {} };
const { app, store, context } = await makeApp(scope, { NOTIFICATIONS: 'off' }, 'dist');
const service = await createNotificationService({ ...context, postPublic: testPost(port), bot: null, now: Date.now });
const nowSeconds = () => Math.floor(Date.now() / 1000);

await store.putChannel(channel('1', { source: 'bot' }));
for (let id = 1; id <= 50; id += 1)
  await store.putMessages([{ ...message('1', id, `Post ${id} `.repeat(20), [], nowSeconds() - 100_000 + id), source: 'bot' }]);
const ecdh = createECDH('prime256v1');
ecdh.generateKeys();
const keys = { p256dh: ecdh.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') };
for (let index = 0; index < (subscriberCount ?? 0); index += 1) {
  const endpoint = `https://push.test/${index}`;
  const device = { tokenHash: String(index), readerId: null, endpoint, ...keys, language: 'en', label: 'x' };
  const { owner } = await store.putNotificationDevice(device, nowSeconds());
  await store.putNotificationChoice(owner, { channelId: '1', mode: 'all', words: [], phrases: [] });
}
service.start();
await app.listen({ port: 0, host: '127.0.0.1' });
process.on('message', async () => {
  await store.putMessages([{ ...message('1', 100, 'A new post for all subscribers', [], nowSeconds()), source: 'bot' }]);
});
process.on('disconnect', () => process.exit());
process.send?.({ port: (app.server.address() as AddressInfo).port });
