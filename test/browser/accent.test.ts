import { expect } from '@open-wc/testing';
import { contrast, mix, TEXT } from '../../src/host/contrast.ts';
import { accentOf } from '../../src/shell/accent.ts';

describe('accentOf()', () => {
  for (const [theme, grounds] of [
    ['light', ['#ffffff', '#f3f2ef']],
    ['dark', ['#1a1c20', '#121316']],
  ] as const) {
    for (const color of ['#ffff00', '#ffffff', '#000000', '#7f7f7f', '#ff0000', '#00ff7f']) {
      it(`makes ${color} readable on the ${theme} theme, and what is written on it`, () => {
        const isDark = theme === 'dark';
        const { accent, 'on-accent': onAccent } = accentOf(color, isDark);
        // What tokens.css does by itself.
        const shown = accent ?? (isDark ? mix(color, '#ffffff', 0.38) : color);
        const written = onAccent ?? (isDark ? '#0d1020' : '#ffffff');
        for (const ground of grounds) expect(contrast(shown, ground)).to.be.at.least(TEXT);
        expect(contrast(written, shown)).to.be.at.least(TEXT);
      });
    }
  }

  it('leaves alone a colour that can be read', () => {
    expect(accentOf('#1f3fb0', false)).to.deep.equal({ accent: null, 'on-accent': null });
  });
});
