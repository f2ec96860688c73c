// Bus messages between the processes of one store.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BusMessage, formatBusMessage, parseBusMessage } from '../../../server/storage/ports/bus-message.ts';

const MESSAGES: readonly BusMessage[] = [
  { type: 'reader-changed', readerId: '17', sessionHash: 'ab12' },
  { type: 'reader-left', readerId: '17' },
  { type: 'reader-left', readerId: 'a "quoted" id with spaces \u2028' },
];

const MALFORMED = [
  '',
  ' ',
  'changed',
  'changed 17',
  'changed 17 ab12 more',
  'left',
  'left ',
  'left 17 ab12',
  'arrived 17',
  'null',
  '[]',
  '"left 17"',
  '{',
  '{}',
  '{"type":"reader-left"}',
  '{"type":"reader-left","readerId":17}',
  '{"type":"reader-left","readerId":""}',
  '{"type":"reader-changed","readerId":"17"}',
  '{"type":"reader-changed","readerId":"17","sessionHash":null}',
  '{"type":"reader-arrived","readerId":"17"}',
  '{"type":["reader-left"],"readerId":"17"}',
  '{"readerId":"17"}',
];

describe('parseBusMessage', () => {
  it('parses every message that formatBusMessage writes', () => {
    for (const message of MESSAGES) assert.deepEqual(parseBusMessage(formatBusMessage(message)), message);
  });

  it('parses the form of the previous version', () => {
    assert.deepEqual(parseBusMessage('changed 17 ab12'), MESSAGES[0]);
    assert.deepEqual(parseBusMessage('left 17'), MESSAGES[1]);
  });

  it('returns null for a malformed message', () => {
    for (const payload of MALFORMED) assert.equal(parseBusMessage(payload), null, payload);
  });

  it('ignores unknown fields, which a later version may send', () => {
    assert.deepEqual(parseBusMessage('{"type":"reader-left","readerId":"17","sessionHash":"ab12","at":1}'), MESSAGES[1]);
  });
});
