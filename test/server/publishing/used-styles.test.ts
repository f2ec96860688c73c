// Styles of server-rendered pages: only those that can apply to the markup.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { selectUsedStyles } from '../../../server/publishing/pages/used-styles.ts';

const HTML = '<div class="root" dir="rtl"><h1 id="top" aria-current="page">Tides</h1><a class="link i">Low</a></div>';
const select = (styles: string, html = HTML): string => selectUsedStyles([{ styles, html }])[0]?.styles ?? '';

describe('the style sheet of a server-rendered page', () => {
  it('has the rules whose names are in the markup, unchanged and in order', () => {
    const used = [
      '*,:before{margin:0}',
      '.root>h1[aria-current]{color:RED;margin:calc(1px + 2px) auto}',
      '#top{left:0}',
      '[dir=rtl] .i{transform:scaleX(-1)}',
      '@media (min-width:10px) and (hover:hover){.link:hover{top:0}@supports (color:red){a{top:1px}}}',
    ];
    const unused = ['.other{a:b}', 'p{a:b}', '#other{a:b}', '[hidden]{a:b}', '[dir=ltr] a{a:b}', '@media print{.other{a:b}}'];
    assert.equal(select(used.flatMap((rule, index) => [rule, unused[index] ?? '']).join('') + unused.at(-1)), used.join(''));
  });
  it('has of a list of selectors those that can match', () => {
    assert.equal(select('.other,.link,p a{top:0}'), '.link{top:0}');
    assert.equal(select(':is(.other,.link) a{top:0}:is(.other,p) a{top:1px}'), ':is(.other,.link) a{top:0}');
    assert.equal(select('.root:has(.other){top:0}.root:has(>.link){top:1px}'), '.root:has(>.link){top:1px}');
  });
  it('keeps states: pseudo-classes, negations, what scripts add, and open details', () => {
    const states = [
      'a:is(:focus-visible,:active):not(.other)::after{top:0}',
      '[data-days]:not(.placed) .day{top:0}',
      '.placed>h2.day{top:1px}',
      'details[open]>a{top:0}',
    ].join('');
    assert.equal(select(states, `${HTML}<details data-days></details>`), states);
  });
  it('keeps for a tag the states of its host, and both directions', () => {
    const states = ':host([theme="dark"]){top:1px}:host(:not(:defined)){top:2px}[dir=ltr] .link{left:0}';
    assert.equal(selectUsedStyles([{ styles: `${states}.other{top:0}`, html: HTML }], { isTag: true })[0]?.styles, states);
    assert.equal(select(states), ':host(:not(:defined)){top:2px}');
  });
  it('treats the host as an element without attributes', () => {
    assert.equal(
      select(':host{top:0}:host([theme="dark"]){top:1px}:host([hidden]){top:2px}:host(:where(:not([theme="light"]))){top:3px}'),
      ':host{top:0}:host(:where(:not([theme="light"]))){top:3px}',
    );
  });
  it('has the keyframes that a used rule names', () => {
    const frames = '@keyframes breathe{to{opacity:var(--faint)}}';
    assert.equal(
      select(`.link{animation:2s breathe}${frames}@keyframes other{to{top:0}}`),
      `.link{animation:2s breathe}${frames}`,
    );
    assert.equal(select(`.other{animation:2s breathe}${frames}`), '');
    assert.equal(
      select(`:host{--faint:.5;--bold:1}.link{animation:breathe 2s}${frames}`),
      `:host{--faint:.5}.link{animation:breathe 2s}${frames}`,
    );
  });
  it('has the custom properties on which the used rules of any root depend', () => {
    const [outer, inner] = selectUsedStyles([
      { styles: ':host{--a:var(--b);--b:var(--c, 1px);--c:2px;--d:var(--e);--e:3px}', html: '<slot></slot>' },
      { styles: '.link{top:var(--a)}.other{top:var(--d)}', html: HTML },
    ]);
    assert.equal(outer?.styles, ':host{--a:var(--b);--b:var(--c, 1px);--c:2px}');
    assert.equal(inner?.styles, '.link{top:var(--a)}');
  });
  it('fails for a style sheet that it cannot read', () => {
    assert.throws(() => select('.link{top:0}.{'));
  });
});
