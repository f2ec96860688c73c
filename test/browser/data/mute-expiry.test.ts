// Mute expiry: the timer that shows a channel again when its mute ends.

import { expect } from '@open-wc/testing';
import type { LineupContents } from '../../../contract/lineup.ts';
import { createMuteExpiry } from '../../../src/data/lineup/mute-expiry.ts';
import { createSignal } from '../../../src/lib/signal.ts';

const DAY_SECONDS = 86_400;

describe('the expiry of mutes', () => {
  const { setTimeout: realSetTimeout } = window;
  afterEach(() => {
    window.setTimeout = realSetTimeout;
  });

  /** Returns the expiries of a line-up with these mutes. `runTimer` moves the clock to the end of the timer, and runs it. */
  function open(mutedUntil: readonly number[]) {
    let now = 1000;
    let timer: { readonly run: () => void; readonly seconds: number } | null = null;
    window.setTimeout = ((callback: () => void, ms: number) => {
      timer = { run: callback, seconds: ms / 1000 };
      return 1;
    }) as typeof window.setTimeout;
    const lineup = createSignal<LineupContents | null>(null);
    const expiry = createMuteExpiry(lineup, () => Math.floor(now), new AbortController().signal);
    const expiries: number[] = [];
    expiry.subscribe(() => expiries.push(expiry.get()));
    lineup.set({ entries: mutedUntil.map((end, index) => ({ channelId: String(index), mutedUntil: end })) });
    const runTimer = (): void => {
      const due = timer;
      timer = null;
      now += due?.seconds ?? 0;
      due?.run();
    };
    return { expiries, runTimer, hasTimer: () => timer !== null };
  }

  it('reports each of several mutes, without a change of the line-up between them', () => {
    const { expiries, runTimer, hasTimer } = open([1010, 1030]);
    runTimer();
    runTimer();
    expect(expiries).to.deep.equal([1010, 1030]);
    expect(hasTimer()).to.equal(false);
  });

  it('waits for a mute that ends after the longest timer of a browser (24.8 days)', () => {
    const end = 1000 + 30 * DAY_SECONDS;
    const { expiries, runTimer } = open([end]);
    runTimer();
    expect(expiries).to.deep.equal([]);
    runTimer();
    expect(expiries).to.deep.equal([end]);
  });
});
