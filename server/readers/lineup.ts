import { Lineup, LineupChange } from '../../contract/lineup.ts';
import { requireReader } from '../auth/identity.ts';
import { type NotifyReaderDeps, tellOwnPages } from '../events/notify-reader.ts';
import { Refusal } from '../http/errors.ts';
import { type App, markOwn } from '../http/request.ts';
import { answers, ChangeHeaders, changeKey } from '../http/schemas.ts';
import type { Store } from '../storage/ports/store.ts';

/** Services that this module uses. */
export type LineupDeps = NotifyReaderDeps & {
  readonly store: Pick<Store, 'lineup' | 'putLineup'>;
  readonly now: () => number;
};

/** A device's clock may run ahead so far, milliseconds; what it stamps beyond that would win over every other device for good. */
const AHEAD = 60_000;

/** Bytes: 1000 entries, of which some have muted words and a feed's address, and the presets. */
const LINEUP_LIMIT = 1024 * 1024;

/** The reader's line-up: the same from every device, merged where two changed it apart. */
export function lineupRoutes(app: App, deps: LineupDeps): void {
  const tags = ['reader'];

  app.get('/api/lineup', { schema: { summary: 'The line-up', tags, response: answers(Lineup) } }, async (request, reply) => {
    markOwn(reply);
    if (request.who.type !== 'reader') return { entries: [], version: 0 };
    return deps.store.lineup(request.who.reader.id);
  });

  app.put(
    '/api/lineup',
    {
      bodyLimit: LINEUP_LIMIT,
      schema: { summary: 'Save the line-up', tags, headers: ChangeHeaders, body: LineupChange, response: answers(Lineup) },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const { entries, presets } = request.body;
      refuseRepeats(
        'entries',
        'the channel',
        entries.map(({ channelId }) => channelId),
      );
      refuseRepeats('presets', 'the preset', presets?.map(({ id }) => id) ?? []);
      const change = inOurTime(request.body, deps.now() + AHEAD);
      const saved = await deps.store.putLineup(reader.id, change, changeKey(request));
      tellOwnPages(request, deps);
      return saved;
    },
  );
}

function refuseRepeats(where: string, what: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new Refusal(400, `${where} names ${what} ${id} twice.`);
    seen.add(id);
  }
}

/** Sets times that lie after `latest` (unix ms) to it. */
function inOurTime(change: LineupChange, latest: number): LineupChange {
  const touched = <Item extends { changed?: number }>(item: Item): Item =>
    item.changed !== undefined && item.changed > latest ? { ...item, changed: latest } : item;
  return {
    ...change,
    entries: change.entries.map(touched),
    ...(change.presets && { presets: change.presets.map(touched) }),
    ...(change.ordered !== undefined && { ordered: Math.min(change.ordered, latest) }),
  };
}
