// Additional language: the steps of the documentation that add a language are sufficient.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MESSAGE_AREAS } from '../../scripts/i18n/generate-messages.mjs';

/** Files that the translations and the bundle are built from. */
const COPIED_PATHS = ['src', 'elements', 'contract', 'build', 'scripts', 'lit-localize.json', 'tsconfig.json', 'package.json'];
/**
 * Hebrew, with generated messages. It is written from right to left, and has a set of plural forms (one, two, other) that none
 * of our languages has.
 */
const LANGUAGE = 'he';

describe('an additional language', () => {
  const copy = mkdtempSync(join(tmpdir(), 'languages-'));
  let found: { readonly whole: readonly string[]; readonly broken: readonly string[] };
  before(() => {
    for (const part of COPIED_PATHS) cpSync(part, join(copy, part), { recursive: true });
    mkdirSync(join(copy, 'node_modules'));
    for (const name of readdirSync('node_modules').filter((each) => !each.startsWith('.')))
      symlinkSync(resolve('node_modules', name), join(copy, 'node_modules', name));
    // The line in lit-localize.json.
    const settings = join(copy, 'lit-localize.json');
    writeFileSync(settings, readFileSync(settings, 'utf8').replace(/("targetLocales": \[[^\]]*)\]/, `$1, "${LANGUAGE}"]`));
    // The translation file. `npm run fix` would create it first, without translations. A copy of another language saves that
    // time.
    const file = generateTranslations(readFileSync('src/i18n/xlf/ru.xlf', 'utf8'));
    writeFileSync(join(copy, `src/i18n/xlf/${LANGUAGE}.xlf`), file);
    writeFileSync(join(copy, 'broken.xlf'), broken(file));
    found = JSON.parse(run(CHECK));
  });
  after(() => rmSync(copy, { recursive: true }));

  it('needs only one line in lit-localize.json and one translation file', () => {
    assert.deepEqual(ownLines(found.whole), []);
    assert.deepEqual(JSON.parse(run(USE_SCRIPT)), {
      locale: LANGUAGE,
      dir: 'rtl',
      name: 'עברית',
      message: '⟦Everything is saved.⟧',
      value: '⟦Channel 4, City News⟧',
      area: '⟦Restore⟧',
      counts: ['1 one', '2 two', '5 other'],
    });
  });

  it('is built into one chunk for the app and one for each area', () => {
    const entries: unknown = JSON.parse(run(BUILD));
    assert.ok(Array.isArray(entries));
    for (const areaPath of ['', ...Object.keys(MESSAGE_AREAS).map((area) => `${area}/`)])
      assert.ok(entries.includes(`src/i18n/locales/${areaPath}${LANGUAGE}.ts`), `${areaPath}${LANGUAGE}.ts`);
  });

  it('is rejected if a message, a plural form or a placeholder is missing or wrong', () => {
    const phrase = 'one: # vote | other: # votes';
    assert.deepEqual(ownLines(found.broken).sort(), [
      `${LANGUAGE}.xlf: no translation of Everything is saved.`,
      `${LANGUAGE}: "few" is not a plural category of this language: ${phrase}`,
      `${LANGUAGE}: each placeholder must occur once, with its own id: Channel {0}, {1}`,
      `${LANGUAGE}: no # in "other", which is used for several numbers: ${phrase}`,
      `${LANGUAGE}: no form "two": ${phrase}`,
    ]);
  });

  /** Everything runs in one process, because the second run of the compiler takes half the time. */
  const CHECK = `
    const { copyFileSync } = await import('node:fs');
    const { readLocalizeConfig, generateMessages } = await import('./scripts/i18n/generate-messages.mjs');
    const { checkTranslations } = await import('./scripts/i18n/check-translations.mjs');
    await generateMessages(readLocalizeConfig());
    const whole = await checkTranslations();
    copyFileSync('broken.xlf', 'src/i18n/xlf/${LANGUAGE}.xlf');
    console.log(JSON.stringify({ whole, broken: await checkTranslations() }));`;
  const USE_SCRIPT = `
    const { loadMessages, str } = await import('./src/i18n/i18n.ts');
    const { loadAreaMessages } = await import('./src/i18n/lazy-messages.ts');
    const { pickLocale } = await import('./src/i18n/locale.ts');
    const { languageName } = await import('./src/i18n/language-name.ts');
    const locale = pickLocale(['fr', '${LANGUAGE}-IL', 'ru']);
    await loadAreaMessages(locale, 'operator');
    const m = await loadMessages(locale);
    console.log(JSON.stringify({
      locale, dir: m.dir, name: languageName(locale),
      message: m.msg('Everything is saved.'), value: m.msg(str\`Channel \${4}, \${'City News'}\`), area: m.msg('Restore'),
      counts: [1, 2, 5].map((count) => m.plural(count, m.msg('one: # vote | other: # votes'))),
    }));`;
  const BUILD = `
    const { build } = await import('esbuild');
    const { browserOptions } = await import('./build/app-bundle.mjs');
    const { metafile } = await build({
      ...browserOptions(new Map()), entryPoints: ['src/main.ts'], splitting: true, outdir: 'out', metafile: true, logLevel: 'silent',
    });
    console.log(JSON.stringify(Object.values(metafile.outputs).map(({ entryPoint }) => entryPoint)));`;

  function run(script: string): string {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout;
  }
});

/** Removes the lines about other languages, whose translations may be unfinished. */
const ownLines = (lines: readonly string[]) =>
  lines.filter((line) => line.startsWith(LANGUAGE) || line.includes(`/${LANGUAGE}.ts`));

/** Translates every message into itself, in brackets, and every plural message into the names of its forms. */
function generateTranslations(text: string): string {
  const untranslated = text
    .replace('target-language="ru"', `target-language="${LANGUAGE}"`)
    .replace(/\s*<target>[\s\S]*?<\/target>/g, '');
  return untranslated.replace(/<source>([\s\S]*?)<\/source>/g, (unit, source: string) => {
    const counts = /^(=\d+|one): /.test(source);
    const target = counts ? 'one: # one | two: # two | other: # other' : `⟦${source}⟧`;
    return `${unit}\n  <target>${target}</target>`;
  });
}

/** Removes a message, a plural form, a `#` and a placeholder, and adds a plural form that the language does not have. */
function broken(text: string): string {
  const votes = /(one: # vote \| other: # votes<\/source>\s*<target>).*?(?=<\/target>)/;
  return text
    .replace('<target>⟦Everything is saved.⟧</target>', '')
    .replace(votes, '$1one: # one | few: # few | other: other')
    .replace('<target>⟦Channel <x id="0"', '<target>⟦Channel <x id="7"');
}
