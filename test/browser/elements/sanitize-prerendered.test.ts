import { expect } from '@open-wc/testing';
import { sanitizePrerender } from '../../../elements/embed/sanitize-prerendered.ts';

function sanitize(html: string): Element {
  const container = new DOMParser().parseFromString(`<div class="drawn">${html}</div>`, 'text/html').querySelector('.drawn');
  if (container === null) throw new Error('no drawing');
  sanitizePrerender(container);
  return container;
}

describe('the sanitizer of prerendered HTML', () => {
  for (const hostile of [
    '<script>alert(1)</script>',
    '<svg><script>alert(1)</script></svg>',
    '<svg><animate onbegin="alert(1)" attributeName="x"></animate></svg>',
    '<svg><set attributeName="href" to="javascript:alert(1)"></set></svg>',
    '<svg><use href="data:image/svg+xml,x"></use></svg>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
    '<object data="x"></object><embed src="x">',
    '<style>* { background: url(//x.example) }</style><link rel="stylesheet" href="//x.example">',
    '<meta http-equiv="refresh" content="0;url=//x.example"><base href="//x.example">',
    '<template><script>alert(1)</script></template>',
  ])
    it(`removes elements that run code, load resources or navigate: ${hostile}`, () => {
      const remaining = sanitize(`<p>before</p>${hostile}<p>after</p>`).querySelectorAll('*');
      expect([...remaining].map(({ localName }) => localName).filter((name) => !['p', 'svg'].includes(name))).to.deep.equal([]);
    });

  for (const [name, hostile] of [
    ['onerror', '<img src="/a.jpg" onerror="alert(1)">'],
    ['onclick', '<a href="/channel/1" onclick="alert(1)">x</a>'],
    ['href', '<a href="javascript:alert(1)">x</a>'],
    ['href', '<a href=" java\nscript:alert(1)">x</a>'],
    ['href', '<a href="data:text/html,x">x</a>'],
    ['xlink:href', '<svg><a xlink:href="javascript:alert(1)">x</a></svg>'],
    ['formaction', '<button formaction="javascript:alert(1)">x</button>'],
    ['style', '<p style="position: fixed">x</p>'],
    ['ping', '<a href="/a" ping="//x.example">x</a>'],
    ['srcset', '<img src="/a.jpg" srcset="javascript:alert(1) 2x">'],
    ['srcset', '<img src="/a.jpg" srcset="/a.jpg 1x, javascript:alert(1) 2x">'],
    ['srcset', '<img src="/a.jpg" srcset="/a.jpg 320w,data:image/svg+xml,x 640w">'],
  ] as const)
    it(`removes attributes that run code or send data: ${hostile.replace('\n', '\\n')}`, () => {
      const names = [...sanitize(hostile).querySelectorAll('*')].flatMap((element) => element.getAttributeNames());
      expect(names).not.to.include(name);
    });

  it('keeps the HTML that our own pages render', () => {
    const html =
      '<article dir="auto" aria-label="Post" data-key="1/2"><a href="/channel/1?post=2"><time datetime="2026-01-01T00:00:00Z">1</time></a>' +
      '<a href="https://t.me/x">x</a><a href="mailto:a@x.example">m</a>' +
      '<img src="https://x.example/media/a.jpg" srcset="https://x.example/media/a.jpg?w=320 320w,/media/b.jpg 640w, /c.jpg 1.5x" width="4" height="3" alt=""></article>';
    expect(sanitize(html).innerHTML).to.equal(html);
  });
});
