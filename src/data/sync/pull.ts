import type { Star } from '../../../contract/api.ts';
import type { Api } from '../../api/channels-api.ts';
import type { Link } from '../connection/connection.ts';
import { createOutbox, type Outbox } from '../mutations/outbox.ts';
import type { ReaderState } from '../mutations/user-state.ts';
import { createArrival } from './sign-in.ts';

const STARS_AT_ONCE = 100;

export interface SyncOptions {
  readonly api: Api;
  readonly link: Link;
  readonly outbox: Outbox;
  readonly state: ReaderState;
}

/** Makes what reads a signed-in reader's line-up, marks, stars and posts kept unread from the server, after sending what waits. */
function createSync({ api, link, outbox, state }: SyncOptions): () => Promise<void> {
  async function stars(): Promise<Star[]> {
    const found: Star[] = [];
    let before: string | undefined;
    do {
      const page = await link.call((how) => api.stars({ before, limit: STARS_AT_ONCE }, how), true);
      found.push(...page.items);
      before = page.next ?? undefined;
    } while (before !== undefined);
    return found;
  }
  return async function sync() {
    await state.loaded;
    await outbox.flush();
    const moves = outbox.moves();
    const [lineup, marks, starred] = await Promise.all([link.call(api.lineup, true), link.call(api.marks, true), stars()]);
    if (link.isClosed()) return;
    // Something was changed or sent meanwhile: the answer may be from before it.
    if (moves !== outbox.moves()) return sync();
    state.take({ lineup, marks: marks.items, keptUnread: marks.keptUnread ?? [], stars: starred });
  };
}

/** What an area needs for a reader with an account: one who signs in, and whose changes are sent. */
export const ACCOUNT = { createArrival, createOutbox, createSync };
export type Account = typeof ACCOUNT;
