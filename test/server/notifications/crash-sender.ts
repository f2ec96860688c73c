// Process that sends the queue of a store until it is killed, for the crash test.
// Arguments: DATA_DIR, the port of the push service, and the milliseconds by which its clock is ahead.

import { openUrlSigner } from '../../../server/media/signed-urls.ts';
import { createPushEncryption, openVapidKeys } from '../../../server/notifications/push-request.ts';
import { createPushSender } from '../../../server/notifications/push-sender.ts';
import { openStore } from '../../../server/storage/open.ts';
import { testPost } from './push-service.ts';

const [dataDir = '', port, aheadMs] = process.argv.slice(2);
const store = await openStore({ dataDir });
const config = { operatorIds: new Set<string>(), publicUrl: null, securityContact: null };
const now = () => Date.now() + Number(aheadMs);
const send = createPushSender({
  ...{ store, config, urlSigner: await openUrlSigner(store), now, postPublic: testPost(Number(port)) },
  isMember: async () => false,
  encrypt: createPushEncryption(await openVapidKeys(store), config),
  onResults: () => {},
});
const sendAll = async (): Promise<void> => {
  while (await send());
};
await Promise.all([sendAll(), sendAll(), sendAll()]);
await store.close();
