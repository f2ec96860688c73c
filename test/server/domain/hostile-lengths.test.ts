import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiateEncoding, parseAcceptLanguage } from '../../../server/http/content-negotiation.ts';
import { parseFeedDate } from '../../../server/sources/rss/parse/fields.ts';
import { measureRelativeCpuTime } from '../../support/machine-speed.ts';

/** Maximum characters of a header, and of a feed that is parsed in the main thread. */
const [HEADER, FEED] = [16_000, 250_000];

/** Maximum work for a text that is built to be slow, in megabytes of JSON that would be parsed in the same time. */
const MAX_WORK_MB = 3;

describe('texts that try to slow down a parser', () => {
  for (const [name, read] of [
    ['Accept-Encoding', negotiateEncoding],
    ['Accept-Language', parseAcceptLanguage],
  ] as const)
    it(`are parsed without delay, whatever spaces they contain: ${name}`, () => {
      assert.ok(measureRelativeCpuTime(() => read(`gzip${' '.repeat(HEADER)}x`)) < MAX_WORK_MB);
      assert.ok(measureRelativeCpuTime(() => read(' ;'.repeat(HEADER / 2))) < MAX_WORK_MB);
    });

  it('still parse as encodings and languages if there are spaces around the weights', () => {
    assert.equal(negotiateEncoding('gzip , br ; q=0.0'), 'gzip');
    assert.deepEqual(parseAcceptLanguage('en ; q=0.5 , ru, de;q=0, fr;x=1'), ['ru', 'fr', 'en']);
  });

  it('do not parse as the date of a feed if they are longer than any date', () => {
    assert.ok(measureRelativeCpuTime(() => assert.equal(parseFeedDate(`1:1${'Z('.repeat(FEED / 2)}`), null)) < MAX_WORK_MB);
    assert.equal(parseFeedDate(' Tue, 05 Mar 2024 10:00:00 +0300 '), Date.UTC(2024, 2, 5, 7) / 1000);
  });
});
