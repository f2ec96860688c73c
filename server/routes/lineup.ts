import { Lineup, LineupChange, type LineupEntry } from '../../contract/api.ts';
import type { App } from '../app.ts';
import { markOwn, requireReader } from '../auth/who.ts';
import type { Context } from '../context.ts';
import { Refusal } from '../problems.ts';
import { answers } from './answers.ts';

/** The reader's line-up; the last write wins whole. */
export function lineupRoutes(app: App, context: Context): void {
  const tags = ['reader'];

  app.get('/api/lineup', { schema: { summary: 'The line-up', tags, response: answers(Lineup) } }, async (request, reply) => {
    markOwn(reply);
    if (request.who.type === 'anonymous') return { entries: [], version: 0 };
    return context.store.lineup(request.who.reader.id);
  });

  app.put(
    '/api/lineup',
    { schema: { summary: 'Save the line-up', tags, body: LineupChange, response: answers(Lineup) } },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      refuseRepeats(request.body.entries);
      return context.store.putLineup(reader.id, request.body.entries);
    },
  );
}

function refuseRepeats(entries: readonly LineupEntry[]): void {
  const seen = new Set<string>();
  for (const { channelId } of entries) {
    if (seen.has(channelId)) throw new Refusal(400, `entries names the channel ${channelId} twice.`);
    seen.add(channelId);
  }
}
