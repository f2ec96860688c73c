// Layout of media: mosaic of albums, texts of sizes and durations, and srcset.

import { expect } from '@open-wc/testing';
import { GRID_COLUMNS } from '../../../src/components/media/album-grid.ts';
import { layoutAlbum } from '../../../src/components/media/album-layout.ts';
import { clockText, sizeText } from '../../../src/components/media/format-media.ts';
import { english } from '../../../src/i18n/i18n.ts';
import { srcSet } from '../../../src/lib/media-url.ts';

const RATIOS = [1.5, 0.75, 1, 1.78, 0.5, 3, 1.33, 0.66, 1.5, 1];

describe('layoutAlbum', () => {
  it('fills the grid without gaps for 1 to 10 pictures of any aspect ratio', () => {
    for (let count = 1; count <= 10; count++) {
      for (let rotation = 0; rotation < RATIOS.length; rotation++) {
        const ratios = Array.from({ length: count }, (_, index) => RATIOS[(rotation + index) % RATIOS.length] ?? 1);
        const { rows, tiles } = layoutAlbum(ratios);
        const area = tiles.reduce((sum, tile) => sum + tile.columns * tile.rows, 0);
        expect(tiles.length, `${ratios}`).to.equal(count);
        expect(area, `${ratios}`).to.equal(GRID_COLUMNS * rows);
      }
    }
  });
  it('gives each tile a number of cells that the style sheet has a rule for', () => {
    for (const first of [0.01, 0.5, 1, 2, 50, Number.NaN, 0, -1]) {
      for (let count = 1; count <= 10; count++) {
        for (const tile of layoutAlbum([first, ...RATIOS].slice(0, count)).tiles) {
          expect(tile.columns).to.be.within(4, 24);
          expect(tile.rows).to.be.within(4, 32);
        }
      }
    }
  });
  it('keeps the aspect ratio of a single picture', () => {
    expect(GRID_COLUMNS / layoutAlbum([1.5]).rows).to.be.closeTo(1.5, 0.05);
  });
});

describe('sizes and durations', () => {
  it('are formatted in readable units', () => {
    expect(sizeText(english, 3.4 * 1024 ** 2)).to.equal('3.4 MB');
    // MEDIA_QUOTA=20GB is parsed in the same way.
    expect(sizeText(english, 20 * 1024 ** 3)).to.equal('20 GB');
    expect(sizeText(english, 12)).to.equal('1 kB');
    expect([clockText(7), clockText(187), clockText(3661)]).to.deep.equal(['0:07', '3:07', '1:01:01']);
  });
});

describe('srcSet', () => {
  const key = `/media/${'ab'.repeat(32)}`;

  it('lists the smaller sizes and the original, with the base URL and the URL signature', () => {
    const src = `https://api.example${key}.jpg?grant=1.x-Y`;
    const small = (width: number) => `https://api.example${key}.w${width}.webp?grant=1.x-Y ${width}w`;
    expect(srcSet(src, 1280)).to.equal(`${small(320)},${small(640)},${src} 1280w`);
    expect(srcSet(`${key}.png`, 321)).to.equal(`${key}.w320.webp 320w,${key}.png 321w`);
  });
  it('returns undefined for pictures that are small, may be animated or come from another server', () => {
    for (const src of [`${key}.gif`, `${key}.webp`, `${key}.mp4`, '/media/abc.jpg', 'https://a.example/photo.jpg'])
      expect(srcSet(src, 1280), src).to.equal(undefined);
    expect(srcSet(`${key}.jpg`, 320)).to.equal(undefined);
    expect(srcSet(`${key}.jpg`)).to.equal(undefined);
  });
});
