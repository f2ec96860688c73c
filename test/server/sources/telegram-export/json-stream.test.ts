// Streaming JSON parser: a byte order mark before the JSON text.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { JsonStreamError, JsonStreamParser } from '../../../../server/sources/telegram-export/json-stream.ts';

const valuesOf = (chunks: readonly (readonly number[])[]): unknown[] => {
  const parser = new JsonStreamParser(() => true);
  const found = chunks.flatMap((chunk) => parser.read(Uint8Array.from(chunk)));
  return [...found, ...parser.end()].map(({ value, offset }) => [value, offset]);
};

const bytesOf = (text: string): number[] => [...Buffer.from(text)];

describe('JsonStreamParser', () => {
  it('skips a byte order mark, however it is split between chunks', () => {
    const bytes = bytesOf('\ufeff{"a": 1}');
    assert.deepEqual(valuesOf([bytes]), [[{ a: 1 }, 3]]);
    assert.deepEqual(valuesOf(bytes.map((byte) => [byte])), [[{ a: 1 }, 3]]);
    for (const at of [1, 2, 3]) assert.deepEqual(valuesOf([bytes.slice(0, at), bytes.slice(at)]), [[{ a: 1 }, 3]]);
  });

  it('rejects a part of a byte order mark, and one after other text', () => {
    const [first = 0, second = 0, third = 0] = bytesOf('\ufeff');
    for (const start of [[first], [first, second], [second, third], [0x20, second, third], [0x20, first, second, third]])
      for (const chunks of [[[...start, ...bytesOf('{}')]], [start.slice(0, 1), [...start.slice(1), ...bytesOf('{}')]]])
        assert.throws(() => valuesOf(chunks), JsonStreamError, JSON.stringify(chunks));
    assert.throws(() => valuesOf([[first, second]]), /ends too early/);
  });
});
