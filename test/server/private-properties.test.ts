// Private properties: the names that the build shortens are used by no other code and by no stored or sent data.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { PRIVATE_PROPERTIES, shortenPrivateProperties } from '../../build/private-properties.mjs';

const read = (folder: string, pattern: RegExp): string =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

const withoutComments = (source: string): string => source.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, '');
/** `Pick<Post, 'id' | 'text'>` and similar types have names in quotes, but no code. */
const withoutKeyTypes = (source: string): string => source.replace(/\b(Pick|Omit|Extract|Exclude)<[^;{}()]*?>/g, '');

const includesWord = (text: string, name: string): boolean => new RegExp(`(?<![\\w$])${name}(?![\\w$])`).test(text);

describe('the property names that the build shortens', () => {
  const sources = ['src', 'elements'].map((folder) => withoutComments(read(folder, /(?<!\.d)\.tsx?$/))).join('\n');

  it('are all used', () => {
    assert.deepEqual(
      PRIVATE_PROPERTIES.filter((name) => !includesWord(sources, name)),
      [],
    );
  });

  it('are not in quotes, so that no access by a string can miss them', () => {
    const quoted = new Set(
      // Biome forbids `object['name']` in code, so names in brackets are of types.
      [...withoutKeyTypes(sources).matchAll(/'([A-Za-z_$][\w$]*)'(?!\])|"([A-Za-z_$][\w$]*)"/g)].map(
        ([, one, other]) => one ?? other,
      ),
    );
    assert.deepEqual(
      PRIVATE_PROPERTIES.filter((name) => quoted.has(name)),
      [],
    );
  });

  it('are not part of the API, the worker or the events of tags', () => {
    const fixed = withoutComments(['contract', 'sw'].map((folder) => read(folder, /\.ts$/)).join('\n'));
    assert.deepEqual(
      PRIVATE_PROPERTIES.filter((name) => includesWord(fixed, name)),
      [],
    );
  });

  it('are not exported, because the module object that import() returns keeps its full names', () => {
    const declared = [...sources.matchAll(/^export (?:async )?(?:function\*?|class|const|let) ([\w$]+)/gm)].map(
      ([, name]) => name,
    );
    const listed = [...sources.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, names = '']) =>
      names.split(',').map((name) => name.trim().split(' ').at(-1)),
    );
    const exported = new Set([...declared, ...listed]);
    assert.deepEqual(
      PRIVATE_PROPERTIES.filter((name) => exported.has(name)),
      [],
    );
  });

  it('are not used by the bundled libraries', () => {
    const libraries = [
      'react/cjs',
      'react-dom/cjs',
      'scheduler/cjs',
      'axios/lib',
      'axios-cache-interceptor/dist',
      'navigo/lib/es',
    ]
      .concat('@lit/localize', '@r2wc')
      .map((folder) => withoutComments(read(`node_modules/${folder}`, /(?<!development)\.m?js$/)))
      .join('\n');
    assert.deepEqual(
      PRIVATE_PROPERTIES.filter((name) => includesWord(libraries, name)),
      [],
    );
  });

  it('each get a different short name', () => {
    const short = Object.values(shortenPrivateProperties.mangleCache);
    assert.equal(new Set(short).size, PRIVATE_PROPERTIES.length);
    assert.ok(short.every((name) => /^\$[\da-z]{1,2}$/.test(name)));
  });
});
