// npm package: the packed files, types and custom elements manifest.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Check } from 'typebox/schema';
import { install, pack } from '../support/package.ts';
import { FRAMEWORKS, PLAIN } from './package-types.ts';

const run = promisify(execFile);
const BIN = resolve('node_modules/.bin');
const PACKED = 'node_modules/channel-changer';

describe('the npm package', () => {
  let folder: string;
  let tarball: string;
  let site: string;

  // The folder is inside the repository, so that the test project finds the frameworks that are installed here.
  before(async () => {
    await mkdir('.test', { recursive: true });
    folder = resolve(await mkdtemp('.test/package-'));
    tarball = await pack(folder);
    site = join(folder, 'site');
    await install(tarball, site);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const published = async () => JSON.parse(await readFile(join(site, PACKED, 'package.json'), 'utf8'));

  it('has no dependencies, and contains no part of the server', async () => {
    assert.deepEqual(
      (await readdir(join(site, 'node_modules'))).filter((name) => !name.startsWith('.')),
      ['channel-changer'],
    );
    const { dependencies, optionalDependencies, peerDependencies, scripts } = await published();
    assert.deepEqual(
      [dependencies, optionalDependencies, peerDependencies, scripts],
      [undefined, undefined, undefined, undefined],
    );
    const files = await readdir(join(site, PACKED), { recursive: true });
    assert.deepEqual(
      files.filter((path) => /server|sqlite|fastify|\.map$|\.ts$/.test(path) && !path.endsWith('.d.ts')),
      [],
    );
  });

  it('contains the readme and the licence of the project', async () => {
    for (const name of ['README.md', 'LICENSE'])
      assert.equal(await readFile(join(site, PACKED, name), 'utf8'), await readFile(name, 'utf8'));
  });

  it('contains the licence text of each package that it bundles', async () => {
    const licences = await readFile(join(site, PACKED, 'LICENSES.txt'), 'utf8');
    const [, ...notices] = licences.split(/^(\S+ \d+\.\d+\.\d+\S* \(.+\))$/m);
    assert.ok(notices.length >= 4);
    for (let title = 0; title < notices.length; title += 2) assert.match(notices[title + 1] ?? '', /copyright/i, notices[title]);
  });

  it('has a module for each tag and one for all tags', async () => {
    const tags = (await readdir('elements')).filter((name) => name.startsWith('changer-')).map((name) => name.replace('.ts', ''));
    const { exports, sideEffects } = await published();
    for (const name of ['', ...tags.map((tag) => `/${tag}`)]) {
      const targets: string[] = Object.values(exports[`./elements${name}`]);
      for (const target of targets) assert.ok((await stat(join(site, PACKED, target))).isFile(), target);
    }
    assert.equal(sideEffects, true);
  });

  it('can be imported on a server, where it does nothing', async () => {
    const { exports } = await published();
    const names = Object.keys(exports).filter((name) => name.startsWith('./elements'));
    const script = names.map((name) => `await import('channel-changer${name.slice(1)}');`).join('\n');
    await writeFile(join(site, 'server.mjs'), script);
    await run(process.execPath, ['server.mjs'], { cwd: site });
  });

  it('passes publint', async () => {
    const { publint } = await import('publint');
    const { messages } = await publint({ pkgDir: join(site, PACKED), strict: true });
    assert.deepEqual(messages, []);
  });

  // Tags are ES modules for browsers. The result for `require` of Node does not matter.
  it('passes are-the-types-wrong for ES modules', async () => {
    await run(join(BIN, 'attw'), [tarball, '--profile', 'esm-only', '--no-color'], { cwd: site });
  });

  it('contains a valid custom elements manifest of the tags', async () => {
    const [manifest, schema] = await Promise.all(
      [join(site, PACKED, 'custom-elements.json'), 'node_modules/custom-elements-manifest/schema.json'].map(async (path) =>
        JSON.parse(await readFile(path, 'utf8')),
      ),
    );
    assert.equal(Check(schema, manifest), true);
    // The schema accepts any kind of class as a declaration. Here each one must be an element.
    const element = { definitions: schema.definitions, $ref: '#/definitions/CustomElementDeclaration' };
    for (const { path, declarations } of manifest.modules) {
      assert.ok((await stat(join(site, PACKED, path))).isFile(), path);
      assert.ok(Check(element, declarations[0]), path);
    }
    assert.equal((await published()).customElements, 'custom-elements.json');
  });

  it('has types for elements, properties and events, without any framework', () => compile('plain', PLAIN, []));

  for (const [name, { source, options }] of Object.entries(FRAMEWORKS))
    it(`has types for the markup of ${name}`, () => compile(name, source, ['--skipLibCheck', ...options]));

  async function compile(name: string, source: string, options: readonly string[]): Promise<void> {
    const file = `${name}.tsx`;
    await writeFile(join(site, file), source);
    const common = [
      '--ignoreConfig',
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--module',
      'nodenext',
      '--types',
      '',
    ];
    const { stdout } = await run(join(BIN, 'tsc'), [...common, ...options, file], { cwd: site }).catch(({ stdout }) => ({
      stdout,
    }));
    assert.equal(stdout, '');
  }
});
