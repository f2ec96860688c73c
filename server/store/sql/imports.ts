import type { ChannelChange } from '../../domain/model.ts';
import { writeChannel, writeWithdrawn } from '../../storage/sql/channels.ts';
import { noteEvent } from '../../storage/sql/events.ts';
import { putFact } from '../../storage/sql/settings.ts';
import { all, type Engine, get, text, type Work } from '../../storage/sql/statements.ts';
import type { ImportStore } from '../imports.ts';

const factOf = (channelId: string): string => `import ${channelId}`;

function* begin(channel: ChannelChange): Work<void> {
  yield* putFact(factOf(channel.id), 'writing');
  // A demo is made before anybody is let in, and its removal looks for what is seen.
  yield* writeChannel(channel, !channel.demo);
}

// What is being removed stays unseen.
const UNSEEN = `
  SELECT 1 FROM channels c WHERE c.id = ? AND c.withdrawn = 1
  AND NOT EXISTS (SELECT 1 FROM connections n WHERE n.channel = c.id AND n.ending IS NOT NULL)`;

function* complete(channelId: string): Work<void> {
  yield* putFact(factOf(channelId), 'complete');
  if (yield* get(UNSEEN, channelId)) yield* writeWithdrawn(channelId, false);
  yield* noteEvent('refresh', channelId, null);
}

const BROKEN = `
  SELECT c.id FROM channels c JOIN facts f ON f.name = 'import ' || c.id
  WHERE f.value = 'writing' ORDER BY c.id`;

/** The store's part of imports. */
export const importStore = ({ read, write }: Engine): ImportStore => ({
  beginImport: (channel) => write(begin(channel)),
  completeImport: (channelId) => write(complete(channelId)),
  brokenImports: async () => (await read(all(BROKEN))).map((row) => text(row, 'id')),
});
