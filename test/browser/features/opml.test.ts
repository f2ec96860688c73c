// OPML parser of the browser.

import { expect } from '@open-wc/testing';
import { decodeOpml, type ParsedOpml, parseOpml } from '../../../src/features/import-export/model/opml-parse.ts';

const opml = (body: string, prolog = '') =>
  `${prolog}<opml version="2.0"><head><title>T</title></head><body>${body}</body></opml>`;
const feed = (address: string, more = '') => `<outline text="${address}" xmlUrl="https://${address}/feed" ${more}/>`;
const errorOf = (text: string) => {
  const read = parseOpml(text);
  return read.type === 'rejected' ? read.reason : 'read';
};
function outlines(read: ParsedOpml) {
  if (read.type === 'rejected') throw new Error(read.reason);
  return read.outlines;
}
const addresses = (text: string) => outlines(parseOpml(text)).map(({ address }) => address);

describe('parseOpml', () => {
  it('reads feeds and links in order, however their attributes are spelled', () => {
    const read = parseOpml(
      opml(
        '<outline title="A" text="a" type="rss" xmlUrl="https://a.example/feed" htmlUrl="https://a.example"/>' +
          '<outline text="B &amp; C" XMLURL="https://b.example/x?a=1&b=2"/>' +
          '<outline text="Ours" type="link" url="https://ours.example/channel/7"/>' +
          '<outline text="Another list" type="include" url="https://c.example/list.opml"/>',
      ),
    );
    expect(read).to.deep.equal({
      type: 'read',
      folders: [],
      droppedCount: 0,
      outlines: [
        { address: 'https://a.example/feed', title: 'A', folders: [] },
        { address: 'https://b.example/x?a=1&b=2', title: 'B & C', folders: [] },
        { address: 'https://ours.example/channel/7', title: 'Ours', folders: [] },
      ],
    });
  });

  it('reads folders by path and categories by name, and an address in two of them once', () => {
    const read = parseOpml(
      opml(
        `<outline text="News"><outline text="World">${feed('a.example')}</outline>${feed('b.example')}</outline>` +
          feed('a.example', 'category="/Work,/Slow%2C long"'),
      ),
    );
    expect(outlines(read).map(({ address, folders }) => [address, ...folders])).to.deep.equal([
      ['https://a.example/feed', 'News / World', 'Work', 'Slow, long'],
      ['https://b.example/feed', 'News'],
    ]);
  });

  it('reads 1000 feeds, and counts the rest', () => {
    const read = parseOpml(opml(Array.from({ length: 1200 }, (_, index) => feed(`a${index}.example`)).join('')));
    expect(read.type === 'read' && [read.outlines.length, read.droppedCount]).to.deep.equal([1000, 200]);
  });

  it('reads or rejects deeply nested folders, many sibling folders, and an address in many folders', () => {
    const deep = (count: number, inside: string) =>
      opml('<outline text="F">'.repeat(count) + inside + '</outline>'.repeat(count));
    const [read] = outlines(parseOpml(deep(2000, feed('a.example'))));
    expect(read?.folders).to.have.length(1);
    expect(errorOf(deep(100_000, feed('a.example')))).to.equal('malformed');
    expect(errorOf(opml('<outline text="F"/>'.repeat(100_000)))).to.equal('empty');
    const many = parseOpml(opml(Array.from({ length: 60_000 }, (_, at) => feed(`a${at}.example`)).join('')));
    expect(many.type === 'read' ? many.droppedCount : many.reason).to.equal(59_000);
  });

  it('expands no entities and fetches nothing', async () => {
    const laughs = '<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c SYSTEM "/secret"><!ENTITY % d SYSTEM "/worse"> %d;';
    const text = opml(
      '<outline text="&b;&c;" xmlUrl="https://a.example/&b;"/>',
      `<?xml version="1.0"?><!DOCTYPE opml SYSTEM "/dtd" [${laughs}]>`,
    );
    performance.clearResourceTimings();
    expect(outlines(parseOpml(text))).to.deep.equal([{ address: 'https://a.example/&b;', title: '&b;&c;', folders: [] }]);
    await new Promise((next) => requestAnimationFrame(next));
    expect(performance.getEntriesByType('resource').filter(({ name }) => /dtd|secret|worse/.test(name))).to.deep.equal([]);
  });

  it('says why it cannot read a file', () => {
    expect(errorOf('')).to.equal('empty');
    expect(errorOf(opml(''))).to.equal('empty');
    expect(errorOf(opml('<outline text="A folder"><outline text="Another"/></outline>'))).to.equal('empty');
    expect(errorOf('<rss><channel/></rss>')).to.equal('not-opml');
    expect(errorOf('{"feeds": []}')).to.equal('not-opml');
    expect(errorOf(opml(feed('a.example')).slice(0, -10))).to.equal('malformed');
    expect(errorOf(opml('<outline text="a" xmlUrl="https://a.example>'))).to.equal('malformed');
    expect(errorOf(opml('<outline text="x">'.repeat(20_000)))).to.equal('malformed');
    expect(errorOf(`<opml>${' '.repeat(5 * 1024 * 1024 + 1)}`)).to.equal('too-large');
  });

  it('decodes a file with its declared encoding', () => {
    const text = (encoding: string) =>
      `<?xml version="1.0" encoding="${encoding}"?>${opml('<outline text="Ж" xmlUrl="https://a.example"/>')}`;
    const bytes = (content: string, ofLetter: number) =>
      Uint8Array.from(content, (letter) => (letter === 'Ж' ? ofLetter : letter.charCodeAt(0))).buffer;
    const titleOf = (buffer: ArrayBuffer) => outlines(parseOpml(decodeOpml(buffer)))[0]?.title;
    expect(titleOf(bytes(text('windows-1251'), 0xc6))).to.equal('Ж');
    expect(titleOf(new TextEncoder().encode(text('UTF-8')).buffer)).to.equal('Ж');
    expect(titleOf(new TextEncoder().encode(`\ufeff${text('nonsense')}`).buffer)).to.equal('Ж');
    const wide = `\ufeff${text('UTF-16')}`;
    expect(titleOf(Uint16Array.from(wide, (letter) => letter.charCodeAt(0)).buffer)).to.equal('Ж');
  });

  it('returns addresses unchanged', () => {
    expect(addresses(opml('<outline text="x" xmlUrl="javascript:alert(1)"/>'))).to.deep.equal(['javascript:alert(1)']);
  });
});
