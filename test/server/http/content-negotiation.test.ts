// Content negotiation: the language tags of an Accept-Language header.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAcceptLanguage } from '../../../server/http/content-negotiation.ts';

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
