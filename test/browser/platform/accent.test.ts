// Accent and theme colours: contrast of the colour roles derived from a Telegram theme.

import { expect, waitUntil } from '@open-wc/testing';
import '../../../elements/changer-not-found.ts';
import { toColorRoles } from '../../../src/platform/telegram/document-theme.ts';
import { brandAccents } from '../../../src/theme/brand-accent.ts';
import { parseColor, parseThemeColors, themeOf } from '../../../src/theme/color.ts';
import { contrastRatio, MIN_SHAPE_CONTRAST, MIN_TEXT_CONTRAST } from '../../../src/theme/contrast.ts';
import { stubServices } from '../features/dial-services.ts';

const RUNS = 3000;

/** Returns a generator of random numbers that are the same in every run. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
const random = randomFrom(7);
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
const anyColor = (): string => {
  const grey = random() < 0.25 ? Math.floor(random() * 256) : null;
  const parts = [1, 2, 3].map(() => grey ?? Math.floor(random() * 256));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
};

/** Background roles of text, and the text roles that are used on them. */
const GROUNDS = ['ground', 'surface', 'raised', 'sunken', 'tabs', 'accent-soft'];
const WRITTEN = ['text', 'text-soft', 'accent', 'unread', 'star', 'good'];
/** Other pairs of a text role and its background role. */
const PAIRS = [
  ['on-accent', 'accent'],
  ['ground', 'text'],
  ['text', 'mark'],
] as const;

type Roles = Readonly<Record<string, string>>;

/** Returns every pair whose contrast is too low. `accent` is also the colour of the focus ring. */
function contrastFailures(roles: Roles, text = MIN_TEXT_CONTRAST, shape = MIN_SHAPE_CONTRAST): string[] {
  const on = (ground: string, names: readonly string[], minimum: number) =>
    names.map((name) => ({ name, ground, minimum, is: contrastRatio(roles[name] ?? '', roles[ground] ?? '') }));
  const pairs = [
    ...GROUNDS.flatMap((ground) => [...on(ground, WRITTEN, text), ...on(ground, ['line-strong'], shape)]),
    ...PAIRS.flatMap(([name, ground]) => on(ground, [name], MIN_TEXT_CONTRAST)),
  ];
  // The comparison also finds NaN, the contrast of a missing role.
  return pairs
    .filter(({ is, minimum }) => !(is >= minimum))
    .map(({ name, ground, is }) => `${name} on ${ground}: ${is.toFixed(2)}`);
}

const KEYS = [
  'bg_color',
  'text_color',
  'hint_color',
  'link_color',
  'button_color',
  'button_text_color',
  'secondary_bg_color',
  'header_bg_color',
  'bottom_bar_bg_color',
  'accent_text_color',
  'section_bg_color',
  'section_header_text_color',
  'section_separator_color',
  'subtitle_text_color',
  'destructive_text_color',
];
const INVALID_COLORS = ['', 'red', '#12', 'url(evil)', null, 7, {}, '#gggggg'];

/** Returns a random theme that no designer would create: some keys are missing, some are invalid, some equal the background. */
function anyTheme(): Record<string, unknown> {
  const background = anyColor();
  const value = (key: string): unknown => {
    const roll = random();
    if (roll < 0.1 && key !== 'bg_color' && key !== 'text_color') return pick(INVALID_COLORS);
    return roll < 0.25 ? background : anyColor();
  };
  return Object.fromEntries(
    KEYS.filter((key) => /^(bg|text)_color$/.test(key) || random() < 0.8).map((key) => [key, value(key)]),
  );
}

describe('the colour roles of a Telegram theme', () => {
  it(`are readable in ${RUNS} random themes`, () => {
    for (let run = 0; run < RUNS; run++) {
      const raw = anyTheme();
      const roles = toColorRoles(themeOf(parseThemeColors(raw)));
      expect(contrastFailures(roles), JSON.stringify(raw)).to.deep.equal([]);
    }
  });

  it('have more contrast for a user who asked for it', () => {
    for (let run = 0; run < RUNS / 10; run++) {
      const raw = anyTheme();
      const theme = themeOf(parseThemeColors(raw));
      const [plain, more] = [toColorRoles(theme), toColorRoles(theme, true)];
      expect(contrastFailures(more), JSON.stringify(raw)).to.deep.equal([]);
      for (const name of WRITTEN)
        expect(contrastRatio(more[name] ?? '', more.surface ?? ''), name).to.be.at.least(
          Math.max(7, contrastRatio(plain[name] ?? '', plain.surface ?? '')) - 1e-9,
        );
    }
  });

  it('are the original colours of Telegram when those are readable', () => {
    const colors = {
      bg_color: '#ffffff',
      text_color: '#000000',
      hint_color: '#5c6168',
      button_color: '#1a5fb4',
      button_text_color: '#ffffff',
      secondary_bg_color: '#f4f4f5',
      section_separator_color: '#e0e0e0',
      destructive_text_color: '#b3261e',
    };
    const roles = toColorRoles(themeOf(colors));
    expect([
      roles.surface,
      roles.ground,
      roles.text,
      roles['text-soft'],
      roles.accent,
      roles['on-accent'],
      roles.unread,
    ]).to.deep.equal([
      colors.bg_color,
      colors.secondary_bg_color,
      colors.text_color,
      colors.hint_color,
      colors.button_color,
      colors.button_text_color,
      colors.destructive_text_color,
    ]);
  });

  it('keep our own values when the theme has no background or no text colour', () => {
    expect(toColorRoles(themeOf(parseThemeColors({ text_color: '#000000' })))).to.deep.equal({});
    expect(toColorRoles(themeOf(parseThemeColors({ bg_color: '#ffffff', text_color: 'black' })))).to.deep.equal({});
    expect(toColorRoles(themeOf(parseThemeColors(null)))).to.deep.equal({});
  });
});

describe('our own themes', () => {
  /** Returns the roles that the style sheet computes for a tag, as numeric colours. */
  function rolesOn(tag: HTMLElement): Roles {
    const probe = document.createElement('i');
    tag.shadowRoot?.append(probe);
    const read = (name: string) => {
      probe.style.backgroundColor = `color-mix(in srgb, var(--${name}), var(--${name}))`;
      const parts = /srgb ([\d.]+) ([\d.]+) ([\d.]+)/.exec(getComputedStyle(probe).backgroundColor)?.slice(1) ?? [];
      return parseColor(`rgb(${parts.map((part) => Math.round(Number(part) * 255)).join(', ')})`) ?? '';
    };
    const names = [...GROUNDS, ...WRITTEN, 'line-strong', 'on-accent', 'mark'];
    const roles = Object.fromEntries(names.map((name) => [name, read(name === 'tabs' ? 'tabs-ground' : name)]));
    probe.remove();
    return roles;
  }
  const mountWithTheme = (theme: string) => {
    const tag = document.createElement('changer-not-found');
    tag.services = stubServices({ embedded: true });
    tag.setAttribute('theme', theme);
    return document.body.appendChild(tag);
  };
  const brandOf = (tag: HTMLElement) => getComputedStyle(tag).getPropertyValue('--changer-brand-light');

  for (const theme of ['light', 'dark'] as const) {
    it(`are readable, ${theme}`, () => {
      const tag = mountWithTheme(theme);
      expect(contrastFailures(rolesOn(tag))).to.deep.equal([]);
      tag.remove();
    });

    it(`are readable with any brand colour, ${theme}`, () => {
      const tag = mountWithTheme(theme);
      for (let run = 0; run < 200; run++) {
        const brand = run < 6 ? ['#ffff00', '#ffffff', '#000000', '#7f7f7f', '#ff0000', '#00ff7f'][run] : anyColor();
        for (const [name, accent] of Object.entries(brandAccents(brand ?? '')))
          tag.style.setProperty(`--changer-brand-${name}`, accent);
        expect(contrastFailures(rolesOn(tag)), brand).to.deep.equal([]);
      }
      tag.remove();
    });
  }

  it('do not change a readable brand colour', () => {
    expect(brandAccents('#1f3fb0').light).to.equal('#1f3fb0');
  });

  for (const accent of ['yellow', 'rgb(100% 100% 0% / 0.5)', 'oklch(0.97 0.21 110)', 'var(--of-the-site)']) {
    it(`correct the accent of an element, spelled ${accent}`, async () => {
      document.body.style.setProperty('--of-the-site', '#ff0');
      const tag = mountWithTheme('light');
      tag.setAttribute('accent', accent);
      await waitUntil(() => brandOf(tag) !== '');
      expect(contrastFailures(rolesOn(tag))).to.deep.equal([]);
      tag.setAttribute('theme', 'dark');
      expect(contrastFailures(rolesOn(tag))).to.deep.equal([]);
      tag.removeAttribute('accent');
      expect(brandOf(tag)).to.equal('');
      tag.remove();
    });
  }

  it('follow the colour scheme of the device when the theme is auto', () => {
    const [auto, none] = [mountWithTheme('auto'), mountWithTheme('light')];
    none.removeAttribute('theme');
    expect(rolesOn(auto)).to.deep.equal(rolesOn(none));
    for (const tag of [auto, none]) tag.remove();
  });
});
