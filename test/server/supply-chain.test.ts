// Supply chain: the lock file and the licences of dependencies.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { writeLicences, writeServerLicences } from '../../build/licences.mjs';
import { makeFolder } from './support/make-app.ts';

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
}

describe('third-party packages', () => {
  it('are each pinned by version and hash, and come only from the registry', async () => {
    const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8')) as { packages: Record<string, Locked> };
    const { '': own, ...others } = packages;
    assert.ok(own !== undefined && Object.keys(others).length > 500);
    for (const [path, { version = '', resolved, integrity = '', optional, os }] of Object.entries(others)) {
      assert.match(version, /^\d+\.\d+\.\d+/, path);
      assert.equal(resolved, undefined, path);
      // Binaries of the formatter for other systems. Only the binary of this system runs, and npm could not see the others.
      const isOtherPlatform = optional && os && path.startsWith('node_modules/@biomejs/cli-');
      if (!isOtherPlatform || integrity !== '') assert.match(integrity, /^sha512-[\w+/]{86}==$/, path);
    }
  });
});

describe('licences of bundled packages', () => {
  /** Writes the licences of a build whose metafile contains one package. Returns their text. */
  async function build(t: TestContext, license: string, files: Record<string, string>) {
    const root = await mkdtemp(join(tmpdir(), 'changer-licences-'));
    t.after(() => rm(root, { recursive: true, force: true }));
    const folder = join(root, 'node_modules/@made/up');
    await mkdir(folder, { recursive: true });
    const packageFiles = { 'package.json': JSON.stringify({ name: '@made/up', version: '1.2.3', license }), ...files };
    for (const [name, text] of Object.entries(packageFiles)) await writeFile(join(folder, name), text);
    const outputPath = join(root, 'licences.txt');
    await writeLicences(outputPath, [
      { inputs: { 'src/app.ts': {}, [`${folder}/lib/index.js`]: {}, [`${folder}/lib/other.js`]: {} } },
    ]);
    return readFile(outputPath, 'utf8');
  }

  it('are written with their texts, ours first, each once', async (t) => {
    const text = await build(t, 'Apache-2.0', { LICENSE: 'The text.', 'NOTICE.md': 'Made by somebody.' });
    assert.match(text, /^Channel Changer\n\nMIT License\n/);
    assert.equal(text.split('@made/up 1.2.3 (Apache-2.0)\n\nThe text.\n\nMade by somebody.\n').length, 2);
  });

  it('make the build fail if one is missing or does not permit this distribution of the code', async (t) => {
    await assert.rejects(build(t, 'GPL-3.0', { LICENSE: 'The text.' }), /licence of @made\/up is GPL-3\.0/);
    await assert.rejects(build(t, 'MIT', {}), /@made\/up has no licence text/);
  });
});

describe('licences of the packages that the server needs', () => {
  /** Installs packages as a lock file lists them, each with its files next to its package.json, and writes their licences. */
  async function build(t: TestContext, lock: Record<string, object>, installed: Record<string, Record<string, string>>) {
    const root = makeFolder(t);
    await writeFile(join(root, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...lock } }));
    for (const [path, files] of Object.entries(installed)) {
      await mkdir(join(root, path), { recursive: true });
      for (const [name, text] of Object.entries(files)) await writeFile(join(root, path, name), text);
    }
    const outputPath = join(root, 'licences.txt');
    await writeServerLicences(outputPath, root);
    return readFile(outputPath, 'utf8');
  }
  const described = (name: string, more: object) => ({ 'package.json': JSON.stringify({ name, version: '1.0.0', ...more }) });

  it('are listed for each installed package except development packages, with the text or its source', async (t) => {
    const repository = { type: 'git', url: 'git+https://example.org/bare.git' };
    const text = await build(
      t,
      {
        'node_modules/a': {},
        'node_modules/a/node_modules/bare': { optional: true },
        'node_modules/tool': { dev: true },
        'node_modules/elsewhere': { optional: true },
      },
      {
        'node_modules/a': { ...described('a', { license: 'MIT' }), LICENSE: 'The text.' },
        'node_modules/a/node_modules/bare': {
          ...described('bare', { license: 'LGPL-3.0-or-later', repository }),
          'README.md': '# Bare\n\n## Licensing\n\nHolds a library.\n\n## Use\n\nNot this.\n',
        },
        'node_modules/tool': { ...described('tool', { license: 'MIT' }), LICENSE: 'The text.' },
      },
    );
    assert.match(text, /^a 1\.0\.0 \(MIT\)\n\nThe text\.\n/);
    assert.match(
      text,
      /\nbare 1\.0\.0 \(LGPL-3\.0-or-later\)\n\n.*https:\/\/example\.org\/bare\n\n## Licensing\n\nHolds a library\.\n$/,
    );
    assert.doesNotMatch(text, /tool|elsewhere|Not this/);
  });

  it('are written once if several packages have the same long text', async (t) => {
    const LICENSE = `The text. ${'x'.repeat(3000)}`;
    const packages = ['a', 'b'].map((name) => [`node_modules/${name}`, { ...described(name, { license: 'MIT' }), LICENSE }]);
    const text = await build(t, { 'node_modules/a': {}, 'node_modules/b': {} }, Object.fromEntries(packages));
    assert.equal(text.split('The text.').length, 2);
    assert.match(text, /\nb 1\.0\.0 \(MIT\)\n\nThe licence text is the same as that of a 1\.0\.0 \(MIT\) above\.\n$/);
  });

  for (const license of [undefined, '', 'UNLICENSED'])
    it(`make the build fail if a package declares none (${license})`, async (t) => {
      const building = build(
        t,
        { 'node_modules/a': {} },
        { 'node_modules/a': { ...described('a', { license }), LICENSE: 'Text.' } },
      );
      await assert.rejects(building, /a declares no licence/);
    });

  it('are listed for all installed packages, also Swagger UI at /api/docs and the library that renders pictures', async (t) => {
    const outputPath = join(makeFolder(t), 'licences.txt');
    await writeServerLicences(outputPath, '.');
    const text = await readFile(outputPath, 'utf8');
    assert.match(text, /^fastify [\d.]+ \(MIT\)$/m);
    assert.match(text, /^swagger-ui-dist [\d.]+ \(Apache-2\.0\)$/m);
    assert.match(text, /^@img\/sharp-libvips-[\w-]+ [\d.]+ \(LGPL-3\.0-or-later\)$/m);
    assert.doesNotMatch(text, /^playwright-core /m, 'a package for development');
    assert.ok(text.length < 450_000, `${text.length}`);
  });
});
