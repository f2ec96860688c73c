// Pinned messages of a channel.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addPins, type PinState, parsePins, reportNewestPin, serializePins } from '../../../server/domain/pins.ts';
import { orders } from '../storage/conformance.ts';

const NOTHING: PinState = { pins: new Map(), reported: { newest: null, at: 0 } };
const idsOf = ({ pins }: PinState): number[] => [...pins.keys()];

type Change = (state: PinState) => PinState;
const pinned =
  (messageId: number, at: number): Change =>
  (state) =>
    addPins(state, [{ messageId, at }]);
const reported =
  (newest: number | null, at: number): Change =>
  (state) =>
    reportNewestPin(state, { newest, at });
const after = (...changes: readonly Change[]): number[] => idsOf(changes.reduce((state, change) => change(state), NOTHING));

describe('the pinned messages of a channel', () => {
  it('are listed newest first, by their ids and not by the time of the pin', () => {
    assert.deepEqual(after(pinned(5, 10), pinned(9, 20), pinned(3, 30)), [9, 5, 3]);
  });

  it('are cleared if Telegram reports no pinned message', () => {
    assert.deepEqual(after(pinned(5, 10), pinned(9, 20), reported(null, 30)), []);
  });

  it('exclude pins newer than the newest one that Telegram reports; older ones stay', () => {
    assert.deepEqual(after(pinned(3, 10), pinned(5, 10), pinned(9, 20), reported(5, 30)), [5, 3]);
  });

  it('have the reported message as the newest, even without an update about its pin', () => {
    assert.deepEqual(after(pinned(3, 10), reported(7, 30)), [7, 3]);
  });

  it('include a message that is pinned again after it was reported as unpinned', () => {
    assert.deepEqual(after(pinned(9, 10), reported(null, 20), pinned(9, 30)), [9]);
  });

  for (const [what, changes, ids] of [
    ['a pin before the newest that was told', [pinned(9, 10), reported(5, 20)], [5]],
    ['a pin after it', [pinned(9, 30), reported(5, 20)], [9, 5]],
    ['an older pin', [pinned(3, 10), reported(5, 20)], [5, 3]],
    ['pins on both sides of a time without any', [pinned(3, 10), reported(null, 20), pinned(5, 30)], [5]],
    ['two that were told', [reported(9, 10), reported(5, 20)], [5]],
    ['two that were told, the later newer', [reported(5, 10), reported(9, 20)], [9, 5]],
    ['a pin between two that were told', [reported(3, 10), pinned(9, 15), reported(5, 20)], [5, 3]],
  ] as const)
    it(`are the same for every order of the updates: ${what}`, () => {
      for (const order of orders<Change>(changes)) assert.deepEqual(after(...order), ids);
    });

  it('are limited to the hundred newest', () => {
    const many = Array.from({ length: 130 }, (_, at) => ({ messageId: at + 1, at: 200 - at }));
    assert.deepEqual(
      idsOf(addPins(NOTHING, many)),
      Array.from({ length: 100 }, (_, at) => 130 - at),
    );
  });

  it('are parsed as they were serialized', () => {
    const { pins } = addPins(NOTHING, [
      { messageId: 2 ** 40, at: 5 },
      { messageId: 7, at: 6 },
    ]);
    assert.deepEqual(
      [...parsePins(serializePins(pins))].sort(([one], [other]) => one - other),
      [
        [7, 6],
        [2 ** 40, 5],
      ],
    );
    assert.equal(parsePins(serializePins(new Map())).size, 0);
  });
});
