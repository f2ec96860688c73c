// Icons of server-rendered pages: each outline once.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shareOutlines } from '../../../server/publishing/pages/shared-outlines.ts';

const icon = (path: string): string => `<svg viewBox="0 0 24 24" class="i">${path}</svg>`;

describe('the outlines of a server-rendered page', () => {
  it('are in the markup once; further icons refer to the first', () => {
    const [star, filledStar] = ['<path d="m12 4z"></path>', '<path d="m12 4z" fill="currentColor"></path>'];
    assert.equal(
      shareOutlines([star, filledStar, star, filledStar, star].map(icon).join('')),
      [
        '<path id="outline-0" d="m12 4z"/>',
        '<path id="outline-1" d="m12 4z" fill="currentColor"/>',
        '<use href="#outline-0"/>',
        '<use href="#outline-1"/>',
        '<use href="#outline-0"/>',
      ]
        .map(icon)
        .join(''),
    );
  });
  it('stay as they are if they occur once', () => {
    const html = `${icon('<path d="m1 1"></path>')}<p>&lt;path d=&quot;m1 1&quot;&gt;&lt;/path&gt;</p>${icon('<path d="m2 2"></path>')}`;
    assert.equal(shareOutlines(html), html);
  });
});
