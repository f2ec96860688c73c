// Configuration: environment variables, their defaults and their errors.

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'node:test';
import { ConfigError, readConfig, SETTING_NAMES } from '../../server/config.ts';
import { makeFolder } from './support/make-app.ts';

describe('the settings', () => {
  it('all have a default or are optional', () => {
    const config = readConfig({});
    assert.equal(config.port, 8080);
    assert.match(config.dataDir, /\/data$/);
    assert.deepEqual([config.publicUrl, config.botToken, config.botApp, config.embedOrigins], [null, null, null, null]);
    assert.deepEqual([config.brand.name, config.demo, config.operatorIds.size], ['Channel Changer', true, 0]);
  });

  it('are read from the environment, and an empty value counts as not set', () => {
    const config = readConfig({
      PORT: '0',
      PUBLIC_URL: 'https://Channels.example/',
      OPERATOR_IDS: '1, 22,333',
      EMBED_ORIGINS: 'https://a.example, http://b.example:81/',
      BRAND_COLOR: '#ABCDEF',
      DEMO: 'off',
      BOT_TOKEN: ' ',
    });
    assert.deepEqual([config.port, config.publicUrl, config.botToken], [0, 'https://channels.example', null]);
    assert.deepEqual([...config.operatorIds], ['1', '22', '333']);
    assert.deepEqual(config.embedOrigins, ['https://a.example', 'http://b.example:81']);
    assert.deepEqual([config.brand.color, config.demo], ['#abcdef', false]);
  });

  it('are all explained in .env.example and listed in the README', () => {
    const explained = readFileSync('.env.example', 'utf8').match(/^#?[A-Z_]+(?==)/gm) ?? [];
    const source = readFileSync('server/config.ts', 'utf8');
    const settings = source.match(/^ {2}[A-Z_]+(?=: )/gm)?.map((name) => name.trim()) ?? [];
    const readme = readFileSync('README.md', 'utf8');
    assert.ok(settings.length > 20);
    for (const name of settings) {
      assert.ok(
        explained.some((line) => line.replace('#', '') === name),
        `.env.example does not explain ${name}`,
      );
      assert.match(readme, new RegExp(`^\\| .*\`${name}\`.* \\|`, 'm'), `the README does not name ${name}`);
    }
  });

  const bad: Record<string, string[]> = {
    PORT: ['abc', '70000', '-1', '80.5'],
    PUBLIC_URL: ['channels.example', 'https://x.example/path', 'ftp://x.example', 'https://'],
    DRAIN_SECONDS: ['-1', '1.5', '1000', 'long'],
    BOT_TOKEN: ['hunter2-secret', '12345:', ':abc'],
    BOT_API_ROOT: ['api.telegram.org'],
    BOT_APP: ['city_bot', 'https://example.org/city_bot', 'https://t.me/city_bot/a/b'],
    OPERATOR_IDS: ['me', '1;2'],
    EMBED_ORIGINS: ['*', 'a.example', 'https://a.example/page'],
    BRAND_NAME: ['x'.repeat(61), 'Telegram News', 'News for telegram'],
    BRAND_COLOR: ['teal', '#fff', '#gggggg'],
    DEMO: ['yes'],
    MEDIA_QUOTA: ['much', '20', '-1GB', '20 gigabytes'],
    MEDIA_FILE_LIMIT: ['20XB'],
    READER_FEEDS: ['many', '-1', '1.5', 'off'],
    BOT_API_FILES: ['files', './files', 'file:///files'],
    TRUST_PROXY: [
      'everybody',
      '10.0.0.0/99',
      '10.0.0.0/8/8',
      '300.1.1.1',
      'fe80::/x',
      '2',
      '10.1/16',
      'none,10.0.0.1',
      'toString',
      ',',
    ],
    RETENTION_DAYS: ['forever', '1.5'],
    NOTIFICATIONS: ['yes', 'true'],
    PUSH_HOSTS: ['https://push.example', '*', 'push.example/path', '*example'],
    CONNECT: ['everybody', 'Operators'],
    DATABASE_URL: [
      ...['mysql://user:hunter2-secret@host/db', 'postgres://user:hunter2 secret@host/db', 'postgres://user:hunter2%zz@host/db'],
      ...['postgres://user:hunter2@host:99999/db', 'postgres://user:hunter2@one:5432,two:x/db', 'postgres://user:hunter2@::1/db'],
      // The driver would parse the text before these characters as a host and its port.
      ...['postgres://user:12#hunter2@host/db', 'postgres://user:12/hunter2@host/db', 'postgres://user:12?hunter2@host/db'],
    ],
  };
  for (const [name, values] of Object.entries(bad)) {
    it(`reject an invalid ${name} with one sentence that names it and says what it should be`, () => {
      for (const value of values) {
        assert.throws(
          () => readConfig({ [name]: value }),
          (error) => {
            assert.ok(error instanceof ConfigError, String(error));
            assert.match(error.message, new RegExp(`^${name} .+(should be|unset it|choose).+\\.$`));
            assert.doesNotMatch(error.message, /hunter2/);
            return true;
          },
        );
      }
    });
  }

  it('reject a replica without the database that it replicates', () => {
    const DATABASE_REPLICA_URL = 'postgres://name:hunter2@replica/db';
    assert.throws(() => readConfig({ DATABASE_REPLICA_URL }), {
      name: 'ConfigError',
      message: 'DATABASE_REPLICA_URL is set without DATABASE_URL, the database that it replicates.',
    });
  });

  it('accept the database URLs that the programs of PostgreSQL accept', () => {
    for (const address of [
      'postgres://host',
      'postgresql://user:p%23%25%2F@host:5432/db?sslmode=require&max=20',
      'postgres://user:p@ss@one:5432,two:5433/db',
      'postgres://user@/db?host=/run/postgresql',
      'postgres:///db?host=%2Ftmp',
      'postgres://user:p@[2001:db8::1]:5433,[::1]/db',
    ])
      assert.equal(readConfig({ DATABASE_URL: address }).databaseUrl, address);
  });

  it('name trusted proxies by address, network and range', () => {
    const trusts = (TRUST_PROXY: string, address: string) => readConfig({ TRUST_PROXY }).trustProxy(address);
    for (const [setting, trusted, others] of [
      [
        'private',
        ['127.0.0.1', '::1', '10.1.2.3', '172.20.0.2', '169.254.1.1', 'fe80::1', 'fd00::1'],
        ['203.0.113.7', '2001:db8::1'],
      ],
      ['none', [], ['127.0.0.1', '::1']],
      ['loopback', ['127.8.8.8', '::1', '::ffff:127.0.0.1'], ['10.0.0.1', 'fe80::1']],
      ['linklocal uniquelocal', ['169.254.1.1', 'fd00::1', '192.168.1.1'], ['127.0.0.1']],
      [
        '198.51.100.7, 2001:db8::/32',
        ['198.51.100.7', '[2001:db8::1]:443', '198.51.100.7:443', '::ffff:198.51.100.7'],
        ['198.51.100.8'],
      ],
      ['private,198.51.100.0/24', ['10.0.0.1', '198.51.100.9'], ['198.51.101.1']],
      ['0.0.0.0/0', ['8.8.8.8', '203.0.113.7'], ['2001:db8::1']],
      ['0.0.0.0/0, ::/0', ['8.8.8.8', '2001:db8::1', 'fd00::1'], ['unknown', '', '1', '0x7f.1', '8.8.8.8, 9.9.9.9']],
    ] as const) {
      for (const address of trusted) assert.equal(trusts(setting, address), true, `${setting} ${address}`);
      for (const address of others) assert.equal(trusts(setting, address), false, `${setting} ${address}`);
    }
  });

  it('let only operators connect channels on a public site, unless CONNECT has another value', () => {
    const [PUBLIC_URL, CONNECT] = ['https://channels.example', 'administrators'];
    assert.equal(readConfig({}).connectPolicy, 'administrators');
    assert.equal(readConfig({ PUBLIC_URL }).connectPolicy, 'operators');
    assert.equal(readConfig({ PUBLIC_URL, CONNECT }).connectPolicy, 'administrators');
    assert.equal(readConfig({ CONNECT: 'operators' }).connectPolicy, 'operators');
  });

  it('accept sizes with units, such as 500MB and 1.5 GB', () => {
    const quota = (size: string) => readConfig({ MEDIA_QUOTA: size }).mediaQuota;
    assert.deepEqual(['0', '500MB', '1.5 GB', '2TB'].map(quota), [0, 500 * 2 ** 20, 1.5 * 2 ** 30, 2 * 2 ** 40]);
    assert.deepEqual([readConfig({}).mediaQuota, readConfig({}).maxMediaFileBytes], [20 * 2 ** 30, 20 * 2 ** 20]);
  });

  it('let readers add 200 feeds by default, and none if READER_FEEDS is 0', () => {
    assert.deepEqual([readConfig({}).maxReaderFeeds, readConfig({ READER_FEEDS: '0' }).maxReaderFeeds], [200, 0]);
  });

  it('accept a brand name that contains Telegram if it begins with "Unofficial"', () => {
    assert.equal(readConfig({ BRAND_NAME: 'Unofficial Telegram News' }).brand.name, 'Unofficial Telegram News');
  });
});

describe('the secret settings', () => {
  const secrets = {
    BOT_TOKEN: '12345:hunter2',
    METRICS_TOKEN: 'hunter2-of-32-characters-or-more',
    BOT_API_ROOT: 'https://bots.example/hunter2',
    DATABASE_URL: 'postgres://name:hunter2@host/db',
    DATABASE_REPLICA_URL: 'postgres://name:hunter2@replica/db',
    S3_ACCESS_KEY_ID: 'hunter2-id',
    S3_SECRET_ACCESS_KEY: 'hunter2-secret',
  };

  it('are read from the files that their _FILE variables name, without a newline at the end', (t) => {
    const folder = makeFolder(t);
    const files: Record<string, string> = {};
    for (const [at, [name, value]] of Object.entries(secrets).entries()) {
      files[`${name}_FILE`] = path.join(folder, name);
      writeFileSync(path.join(folder, name), `${value}${['', '\n', '\r\n'][at % 3]}`);
    }
    const config = readConfig({ ...files, S3_BUCKET: 'media' });
    const { accessKeyId, secretAccessKey } = config.s3?.credentials ?? {};
    const databases = [config.databaseUrl, config.databaseReplicaUrl];
    const values = [config.botToken, config.metricsToken, config.botApiRoot, ...databases, accessKeyId, secretAccessKey];
    assert.deepEqual(values, Object.values(secrets));
    assert.deepEqual(SETTING_NAMES.filter((name) => name.endsWith('_FILE')).sort(), Object.keys(files).sort());
    assert.equal(readConfig({ BOT_TOKEN: secrets.BOT_TOKEN, BOT_TOKEN_FILE: ' ' }).botToken, secrets.BOT_TOKEN);
  });

  it('stop the start if a value and a file are both set, with a message that names both settings', (t) => {
    const file = path.join(makeFolder(t), 'secret');
    for (const [name, value] of Object.entries(secrets)) {
      writeFileSync(file, value);
      assert.throws(() => readConfig({ [name]: value, [`${name}_FILE`]: file }), {
        name: 'ConfigError',
        message: `${name} and ${name}_FILE are both set: unset one of them.`,
      });
    }
  });

  it('stop the start if their file cannot be used, with a message that contains no path and no content', (t) => {
    const folder = makeFolder(t);
    const at = (name: string) => path.join(folder, `hunter2-${name}`);
    writeFileSync(at('empty'), ' \n');
    writeFileSync(at('wrong'), 'hunter2\n');
    mkdirSync(at('folder'));
    writeFileSync(at('large'), '');
    truncateSync(at('large'), 1024 * 1024);
    const faults = {
      none: /^BOT_TOKEN_FILE is not a usable file: it does not exist\.$/,
      'wrong/below': /^BOT_TOKEN_FILE is not a usable file: it does not exist\.$/,
      empty: /^BOT_TOKEN_FILE is not a usable file: it is empty\.$/,
      folder: /^BOT_TOKEN_FILE is not a usable file: it is not a regular file\.$/,
      large: /^BOT_TOKEN_FILE is not a usable file: it is larger than 64 kB\.$/,
      wrong: /^BOT_TOKEN has the wrong format; it should be .+\.$/,
    };
    for (const [name, message] of Object.entries(faults))
      assert.throws(
        () => readConfig({ BOT_TOKEN_FILE: at(name) }),
        (error) => error instanceof ConfigError && message.test(error.message) && !error.message.includes('hunter2'),
        name,
      );
  });

  it('stop the start if this user cannot read their file', (t) => {
    const file = path.join(makeFolder(t), 'secret');
    writeFileSync(file, secrets.BOT_TOKEN, { mode: 0o000 });
    const isRoot = process.geteuid?.() === 0;
    // Root may read any file. 65534 is the user nobody.
    if (isRoot) process.seteuid?.(65_534);
    try {
      assert.throws(() => readConfig({ BOT_TOKEN_FILE: file }), {
        message: 'BOT_TOKEN_FILE is not a usable file: it cannot be read by this user.',
      });
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });
});
