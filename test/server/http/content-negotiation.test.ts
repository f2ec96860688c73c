// Content negotiation: languages and encodings.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { negotiateEncoding, parseAcceptLanguage } from '../../../server/http/content-negotiation.ts';

describe('the Accept-Language header', () => {
  it('is parsed into language tags, also with a numeric region, most preferred first', () => {
    assert.deepEqual(parseAcceptLanguage('en;q=0.5, es-419, ar-Arab-001;q=0.9, zh-Hant-TW;q=0.7'), [
      ...['es-419', 'ar-Arab-001', 'zh-Hant-TW', 'en'],
    ]);
  });

  it('loses the entries that are not language tags or have no weight', () => {
    assert.deepEqual(parseAcceptLanguage('*, e, es-41, es-4190, fr;q=0, ru'), ['ru']);
  });
});

describe('the encoding of a response', () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['GZIP', 'gzip'],
    ['identity, gzip;q=0.5', null],
    ['gzip;q=0', null],
    ['deflate', null],
    ['', null],
    [undefined, null],
  ] as const)
    it(`is ${encoding} for Accept-Encoding: ${accepted}`, () => {
      assert.equal(negotiateEncoding(accepted), encoding);
    });
});
