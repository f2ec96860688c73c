// Remarks of an import: their summary.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { summaryOf } from '../../../../server/sources/telegram-export/remarks.ts';

describe('summaryOf', () => {
  it('lists the 20 largest groups, and refers to the full list for the others, some of which have the same reason', () => {
    const skipped = Array.from({ length: 22 }, (_, at) => at + 1).flatMap((group) =>
      Array.from({ length: group + 1 }, () => ({ channelId: '7', subject: 'message 1', reason: `reason ${group}` })),
    );
    const lines = summaryOf({ channels: [], otherChats: [], skipped, deviations: [], countsLine: '' });
    assert.equal(lines.length, 21);
    assert.equal(lines[0], 'Skipped 23 messages: reason 22.');
    assert.equal(lines.at(-1), 'Skipped 5 others: see the full list.');
  });
});
