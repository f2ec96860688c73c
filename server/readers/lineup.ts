/** Line-up routes: read and save the reader's ordered list of channels. */
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

/**
 * Maximum time that a device's clock may be ahead, ms. A later timestamp would take precedence over every other device
 * permanently.
 */
const AHEAD = 60_000;

/** Maximum size, bytes: 1000 entries, some with muted words and a feed's URL, and the presets. */
const LINEUP_LIMIT = 1024 * 1024;

/** Routes of the reader's line-up. It is the same on every device; concurrent changes of two devices are merged. */
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

/** Clamps timestamps after `latest` (unix ms) to it. */
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
