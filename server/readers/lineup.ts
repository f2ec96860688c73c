/** Line-up routes: read and save the reader's ordered list of channels. */
import { Lineup, LineupChange } from '../../contract/lineup.ts';
import { requireReader } from '../auth/identity.ts';
import { type NotifyReaderDeps, notifyOtherSessions } from '../events/notify-reader.ts';
import { HttpError } from '../http/errors.ts';
import { type App, markPrivate } from '../http/request.ts';
import { IdempotencyHeaders, idempotencyKeyOf, responses } from '../http/schemas.ts';
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
const MAX_CLOCK_SKEW_MS = 60_000;

/** Maximum size, bytes: 1000 entries, some with muted words and a feed's URL, and the presets. */
const MAX_LINEUP_BYTES = 1024 * 1024;

/** Routes of the reader's line-up. It is the same on every device; concurrent changes of two devices are merged. */
export function lineupRoutes(app: App, deps: LineupDeps): void {
  const tags = ['reader'];

  app.get('/api/lineup', { schema: { summary: 'The line-up', tags, response: responses(Lineup) } }, async (request, reply) => {
    markPrivate(reply);
    if (request.principal.type !== 'reader') return { entries: [], version: 0 };
    return deps.store.lineup(request.principal.reader.id);
  });

  app.put(
    '/api/lineup',
    {
      bodyLimit: MAX_LINEUP_BYTES,
      schema: { summary: 'Save the line-up', tags, headers: IdempotencyHeaders, body: LineupChange, response: responses(Lineup) },
    },
    async (request, reply) => {
      const reader = requireReader(request, reply);
      const { entries, presets } = request.body;
      rejectDuplicates(
        'entries',
        'the channel',
        entries.map(({ channelId }) => channelId),
      );
      rejectDuplicates('presets', 'the preset', presets?.map(({ id }) => id) ?? []);
      const change = clampFutureTimes(request.body, deps.now() + MAX_CLOCK_SKEW_MS);
      const saved = await deps.store.putLineup(reader.id, change, idempotencyKeyOf(request));
      notifyOtherSessions(request, deps);
      return saved;
    },
  );
}

function rejectDuplicates(field: string, itemName: string, ids: readonly string[]): void {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) throw new HttpError(400, `${field} contains ${itemName} ${id} twice.`);
    seen.add(id);
  }
}

/** Clamps timestamps after `latest` (unix ms) to it. */
function clampFutureTimes(change: LineupChange, latest: number): LineupChange {
  const clampItem = <Item extends { changed?: number }>(item: Item): Item =>
    item.changed !== undefined && item.changed > latest ? { ...item, changed: latest } : item;
  return {
    ...change,
    entries: change.entries.map(clampItem),
    ...(change.presets && { presets: change.presets.map(clampItem) }),
    ...(change.ordered !== undefined && { ordered: Math.min(change.ordered, latest) }),
  };
}
