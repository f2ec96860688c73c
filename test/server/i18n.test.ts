// Internationalization: completeness of the translations, plural forms, dates and numbers.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { isInArea, MESSAGE_AREAS, MESSAGE_PAGES } from '../../scripts/i18n/generate-messages.mjs';
import { english, loadMessages, type Messages } from '../../src/i18n/i18n.ts';
import { languageName } from '../../src/i18n/language-name.ts';
import { loadAreaMessages } from '../../src/i18n/lazy-messages.ts';
import { LOCALES, pickLocale } from '../../src/i18n/locale.ts';
import { targetLocales } from '../../src/i18n/locales/codes.ts';

const [areas, pages] = [['.', ...Object.keys(MESSAGE_AREAS)], Object.keys(MESSAGE_PAGES)];
const sources = new Map(targetLocales.map((locale) => [locale, unitsOf(locale)]));

/** Returns the messages that were extracted from the source, with their translations. */
function unitsOf(locale: string): ReadonlyMap<string, { readonly source: string; readonly target: string | undefined }> {
  const file = readFileSync(`src/i18n/xlf/${locale}.xlf`, 'utf8');
  const part = (unit: string, name: string) => new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(unit)?.[1];
  return new Map(
    [...file.matchAll(/<trans-unit id="([^"]+)">([\s\S]*?)<\/trans-unit>/g)].map(([, id = '', unit = '']) => [
      id,
      { source: part(unit, 'source') ?? '', target: part(unit, 'target') },
    ]),
  );
}

describe('the translations', () => {
  it('exist as one XLF file for each language of the app', () => {
    assert.deepEqual(readdirSync('src/i18n/xlf').sort(), targetLocales.map((locale) => `${locale}.xlf`).sort());
    assert.deepEqual(LOCALES, ['en', ...targetLocales]);
  });
  for (const locale of targetLocales) {
    it(`contain every message of the source in ${locale} exactly once, and none is empty`, async () => {
      const units = sources.get(locale) ?? new Map();
      assert.ok(units.size > 300);
      const empty = [...units].filter(([, { target }]) => target === undefined || target.trim() === '').map(([id]) => id);
      assert.deepEqual(empty, []);
      const keysOf = async (folders: readonly string[]): Promise<string[]> => {
        const paths = folders.map((folder) => join(folder, locale));
        const modules = await Promise.all(paths.map((path) => import(`../../src/i18n/locales/${path}.ts`)));
        return modules.flatMap(({ templates }) => Object.keys(templates));
      };
      const [inApp, inPages] = await Promise.all([keysOf(areas), keysOf(pages)]);
      assert.equal(new Set(inApp).size, inApp.length);
      assert.equal(new Set([...inApp, ...inPages]).size, units.size);
    });
    it(`contain no English text in ${locale} by mistake`, { skip: new Intl.Locale(locale).maximize().script === 'Latn' }, () => {
      const texts = [...(sources.get(locale) ?? [])].map(([, { target = '' }]) => target.replace(/<[^>]*>|\b(one|other): /g, ''));
      const foreign = texts.filter((text) => /\p{L}/u.test(text) && !/[^\P{L}\p{Script=Latin}]/u.test(text));
      assert.deepEqual(
        foreign.filter((text) => text !== 'Service worker' && text !== 'RSS'),
        [],
      );
    });
  }
  it('isolate inserted texts within Arabic quotation marks, because their direction may differ', () => {
    const unisolated = [...(sources.get('ar') ?? [])].filter(([, { target = '' }]) => /«<x/.test(target)).map(([id]) => id);
    assert.deepEqual(unisolated, []);
  });
});

describe('the messages of an area', () => {
  it('are translated after they are loaded', async () => {
    const m = await loadMessages('ru');
    assert.equal(m.msg('Restore'), 'Restore');
    await loadAreaMessages('ru', 'operator');
    assert.equal(m.msg('Restore'), 'Вернуть');
  });
  it('are awaited wherever the area is entered', () => {
    const files = ['src', 'elements'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
    );
    const texts = new Map(files.filter((name) => /\.tsx?$/.test(name)).map((name) => [name, readFileSync(name, 'utf8')]));
    const imports = /^import (?!type )[^;]*?from '(\.[^']+)'|import\('(\.[^']+)'\)/gm;
    const importsOf = (name: string) =>
      [...(texts.get(name) ?? '').matchAll(imports)].map(([, staticImport, lazyImport]) =>
        relative('.', resolve(dirname(name), staticImport ?? lazyImport ?? '')),
      );
    for (const [area, paths] of Object.entries(MESSAGE_AREAS)) {
      const inside = (name: string) => isInArea(name, paths);
      const waiting = new RegExp(`useAreaMessages\\('${area}'\\)|await loadAreaMessages\\([\\w.]+, '${area}'\\)`);
      const isWaiting = (name: string) => waiting.test(texts.get(name) ?? '');
      for (const name of [...texts.keys()].filter((each) => !inside(each) && !isWaiting(each)))
        for (const entry of importsOf(name).filter((each) => inside(each) && texts.get(each)?.includes('msg(')))
          assert.ok(
            [entry, ...importsOf(entry)].some(isWaiting),
            `${name} imports ${entry}: neither file waits for the messages, nor do the imports of the latter`,
          );
    }
  });
});

const votes = (m: Messages, count: number) => m.plural(count, m.msg('one: # vote | other: # votes'));
const unread = (m: Messages, count: number) => m.plural(count, m.msg('one: # unread | other: # unread'), 99);

describe('counts in messages', () => {
  it('use the plural forms of Russian', async () => {
    const m = await loadMessages('ru');
    const plurals = [0, 1, 2, 5, 11, 21, 22, 25, 111].map((count) => votes(m, count));
    assert.deepEqual(
      plurals.map((text) => text.split(/\s/).at(-1)),
      ['голосов', 'голос', 'голоса', 'голосов', 'голосов', 'голос', 'голоса', 'голосов', 'голосов'],
    );
    assert.equal(m.plural(1204, m.msg('one: # member | other: # members')).replace(/\s/g, ' '), '1 204 подписчика');
  });
  it('write none, one and two as words in Arabic', async () => {
    const m = await loadMessages('ar');
    assert.equal(votes(m, 0), 'لا أصوات');
    assert.equal(votes(m, 1), 'صوت واحد');
    assert.equal(votes(m, 2), 'صوتان');
    assert.equal(votes(m, 3), '3 أصوات');
    assert.equal(votes(m, 11), '11 صوتًا');
    assert.equal(votes(m, 100), '100 صوت');
  });
  it('are shown as 99+ above the limit of 99, in the same plural form for all of them', async () => {
    assert.equal(unread(english, 99), '99 unread');
    assert.equal(unread(english, 250), '99+ unread');
    const m = await loadMessages('ru');
    assert.equal(unread(m, 101), unread(m, 100));
  });
  it('prefer the form for an exact number', () => {
    const forms = '=0: nobody | one: # person | =2: both | other: # people';
    assert.deepEqual(
      [0, 1, 2, 3].map((count) => english.plural(count, forms)),
      ['nobody', '1 person', 'both', '3 people'],
    );
  });
  it('use the English text of the source if there is no translation', () => {
    assert.equal(votes(english, 1), '1 vote');
    assert.equal(votes(english, 1204), '1,204 votes');
    assert.equal(votes(english, 0), '0 votes');
  });
});

describe('relativeDate()', () => {
  // Local time, as readers see it. At noon, one hour earlier or later is on the same day.
  const now = new Date(2026, 2, 12, 12, 0, 0).getTime();
  const ago = (m: Messages, seconds: number) => m.relativeDate(now / 1000 - seconds, now).replace(/\s/g, ' ');
  const DAY = 86_400;

  it('counts minutes up to an hour, then returns the time of day', () => {
    assert.equal(ago(english, 0), 'now');
    assert.equal(ago(english, 59), 'now');
    assert.equal(ago(english, -60), 'now');
    assert.equal(ago(english, 60), '1 minute ago');
    assert.equal(ago(english, 119), '1 minute ago');
    assert.equal(ago(english, 120), '2 minutes ago');
    assert.equal(ago(english, 3599), '59 minutes ago');
    assert.equal(ago(english, 3600), 'Today, 11:00 AM');
  });
  it('returns today and yesterday by name, then the date, with the year if it is not the current one', () => {
    assert.equal(ago(english, 12 * 3600), 'Today, 12:00 AM');
    assert.equal(ago(english, 12 * 3600 + 60), 'Yesterday, 11:59 PM');
    assert.equal(ago(english, 2 * DAY), 'March 10, 12:00 PM');
    assert.equal(ago(english, 365 * DAY), 'March 12, 2025, 12:00 PM');
    assert.equal(ago(english, -DAY), 'March 13, 12:00 PM');
  });
  it('uses the language of the reader, with its time format and its comma', async () => {
    const [russian, arabic] = [await loadMessages('ru'), await loadMessages('ar')];
    assert.equal(ago(russian, 30), 'сейчас');
    assert.equal(ago(russian, 21 * 60), '21 минуту назад');
    assert.equal(ago(russian, 3600), 'Сегодня, 11:00');
    assert.equal(ago(russian, 365 * DAY), '12 марта 2025 г., 12:00');
    assert.equal(ago(arabic, 30), 'الآن');
    assert.equal(ago(arabic, 120), 'قبل دقيقتين');
    assert.equal(ago(arabic, DAY), 'أمس، 12:00 م');
  });
});

describe('pickLocale()', () => {
  it('returns the first supported language, otherwise English', () => {
    assert.equal(pickLocale([null, 'fr-FR', 'ru-RU', 'ar']), 'ru');
    assert.equal(pickLocale(['AR-eg']), 'ar');
    assert.deepEqual(
      ['en', 'ru', 'ar'].map((code) => languageName(pickLocale([code]))),
      ['English', 'Русский', 'العربية'],
    );
    assert.equal(pickLocale([undefined, 'de']), 'en');
  });
});
