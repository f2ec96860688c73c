// Fuzz test of the OPML parser.

import { expect } from '@open-wc/testing';
import fc from 'fast-check';
import { decodeOpml, parseOpml } from '../../../src/features/import-export/model/opml-parse.ts';

const SEED = Math.floor(Math.random() * 2 ** 31);
const RUNS = 300;
const OPML = `<?xml version="1.0"?><opml version="2.0"><head><title>T</title></head><body><outline text="News"><outline title="A" text="a"
type="rss" xmlUrl="https://a.example/feed" category="/Work,/Slow%2C long"/></outline><outline text="B &amp; C" XMLURL="x?a=1&b=2"/></body></opml>`;
const FRAGMENTS = [
  '<outline',
  '</outline>',
  '<opml>',
  '<!DOCTYPE o [<!ENTITY a "b">]>',
  '&a;',
  '&#0;',
  '<![CDATA[',
  '<!--',
  '%',
  '%2',
  ' xmlns="urn:x"',
];

const edit = fc.record({
  at: fc.nat(OPML.length),
  cut: fc.nat(60),
  put: fc.oneof(fc.constantFrom('', ...FRAGMENTS), fc.string({ unit: 'binary' })),
});

/** A subscription list with foreign text at up to four positions. */
const corrupted = fc
  .array(edit, { maxLength: 4 })
  .map((edits) => edits.reduce((text, { at, cut, put }) => text.slice(0, at) + put + text.slice(at + cut), OPML));

const check = <Value>(values: fc.Arbitrary<Value>, holds: (value: Value) => void) => {
  fc.assert(fc.property(values, holds), { seed: SEED, numRuns: RUNS });
};

describe(`an untrusted OPML file (seed ${SEED})`, () => {
  it('is parsed or rejected, with unique addresses and with folders that are listed', () => {
    check(fc.oneof(corrupted, fc.string({ unit: 'binary' })), (text) => {
      const read = parseOpml(text);
      if (read.type === 'rejected') return;
      const addresses = read.outlines.map(({ address }) => address);
      expect(new Set(addresses).size).to.equal(addresses.length);
      for (const { title, folders } of read.outlines) {
        expect(title.trim()).to.not.equal('');
        expect(read.folders).to.include.members([...folders]);
        for (const folder of folders) expect(folder.length).to.be.within(1, 64);
      }
    });
  });

  it('decodes to text, whatever encoding it declares', () => {
    const labels = fc.constantFrom('utf-7', 'utf-16', 'gbk', 'x', 'windows-1251');
    check(fc.tuple(fc.uint8Array({ maxLength: 300 }), labels), ([bytes, label]) => {
      const head = new TextEncoder().encode(`<?xml version="1.0" encoding="${label}"?>`);
      expect(decodeOpml(Uint8Array.from([...head, ...bytes]).buffer)).to.be.a('string');
      expect(decodeOpml(Uint8Array.from(bytes).buffer)).to.be.a('string');
    });
  });
});
