// Import of Telegram Desktop exports into the store, with their files.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { Value } from 'typebox/value';
import { Post } from '../../../../contract/post.ts';
import { importInThread } from '../../../../server/sources/telegram-export/import-in-thread.ts';
import type { TelegramImportResult } from '../../../../server/sources/telegram-export/report.ts';
import { openStore } from '../../../../server/storage/open.ts';
import { message } from '../../storage/conformance.ts';
import {
  ALL,
  channelExport,
  contentOf,
  exportedMessage,
  folderOf,
  makeImporter,
  NOT_INCLUDED,
  writeExport,
} from './export-files.ts';

const REAL = '../shared/data/exports';
const real = existsSync(REAL) ? readdirSync(REAL).filter((name) => name.endsWith('.json')) : [];

const assertCountsAddUp = ({ channels }: TelegramImportResult) => {
  for (const { messages, posts, service, skipped, inserted, updated, unchanged } of channels) {
    assert.equal(messages, posts + service + skipped);
    assert.equal(posts, inserted + updated + unchanged);
  }
};

const many = (count: number) =>
  channelExport(Array.from({ length: count }, (_, at) => exportedMessage(at + 1, { text: `m${at + 1} ${'word '.repeat(60)}` })));

describe('import of real exports', () => {
  for (const name of real)
    it(`imports ${name} completely, and a second import changes nothing`, async (t) => {
      const { store, importFile } = await makeImporter(t);
      const raw = JSON.parse(readFileSync(join(REAL, name), 'utf8'));
      const first = await importFile(join(REAL, name));
      assert.equal(first.channels[0]?.messages, raw.messages.length);
      assert.deepEqual(first.skipped, []);
      assertCountsAddUp(first);
      const imported = await contentOf(store);
      for (const post of imported.posts) assert.ok(Value.Check(Post, post), JSON.stringify(post));
      const texts = raw.messages.map((message: { text_entities: { text: string }[] }) =>
        message.text_entities.map((entity) => entity.text).join(''),
      );
      const storedTexts = new Set(imported.posts.map((post) => post.text));
      for (const text of texts) assert.ok(text === '' || storedTexts.has(text), text);
      const second = await importFile(join(REAL, name));
      assert.equal(second.channels[0]?.unchanged, first.channels[0]?.posts);
      assert.deepEqual(await contentOf(store), imported);
    });
  if (real.length === 0) it('imports them completely', { skip: `${REAL} is not here` }, () => {});
});

describe('import', () => {
  it('accepts a folder, and fields in any order', async (t) => {
    const { store, from, importFile } = await makeImporter(t);
    writeExport(from, { messages: [exportedMessage(1)], id: 77, type: 'private_channel', name: 'Last' });
    const report = await importFile(from);
    assert.equal(
      report.countsLine,
      'Imported 1 channel: 1 messages = 1 posts + 0 service + 0 skipped (1 new, 0 changed, 0 as before)',
    );
    const channel = await store.channel('77', ALL);
    assert.deepEqual([channel?.title, channel?.private, channel?.source], ['Last', true, 'export']);
  });

  it('imports the channels of a full export, and reports the chats that it skips', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const chats = [
      channelExport([exportedMessage(1)]),
      { name: 'Friend', type: 'personal_chat', id: 5, messages: [exportedMessage(1), exportedMessage(2)] },
      { messages: [exportedMessage(1)], ...channelExport([exportedMessage(1)], { id: 78, name: 'Other' }) },
      { type: 'saved_messages', id: 6, messages: [] },
    ];
    const report = await importThis({
      about: 'Here is the data',
      personal_information: { user_id: 5, first_name: 'Me' },
      contacts: { list: [{ first_name: 'A' }] },
      chats: { about: 'chats', list: chats },
      left_chats: { list: [channelExport([exportedMessage(1)], { id: 79, name: 'Left' })] },
    });
    assert.deepEqual(
      report.channels.map(({ id }) => id),
      ['77', '78', '79'],
    );
    assert.deepEqual(report.otherChats, [
      { name: 'Friend', type: 'personal_chat', messages: 2 },
      { name: null, type: 'saved_messages', messages: 0 },
    ]);
    assert.match(report.countsLine, /^Imported 3 channels: 3 messages/);
    assert.equal((await store.channels(ALL)).length, 3);
  });

  it('uses its options for data that an export does not contain', async (t) => {
    const { store, from, importThis } = await makeImporter(t);
    mkdirSync(from);
    await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
      .png()
      .toFile(join(from, 'me.png'));
    await importThis(channelExport([exportedMessage(1)]), { username: '@town', about: 'About', picture: 'me.png', demo: true });
    const channel = await store.channel('town', ALL);
    assert.deepEqual(
      [channel?.about, channel?.demo, channel?.picture?.width, channel?.picture?.placeholder],
      ['About', true, 8, 'ff0000'.repeat(9)],
    );
  });

  it('keeps the channel details that the bot received', async (t) => {
    const { store, importThis } = await makeImporter(t);
    await store.putChannel({ id: '77', title: 'Town now', source: 'bot', state: 'live', private: false, demo: false });
    await importThis(channelExport([exportedMessage(1)]));
    const channel = await store.channel('77', ALL);
    assert.deepEqual([channel?.title, channel?.source, channel?.state], ['Town now', 'bot', 'live']);
  });

  it('keeps the channel details that the bot receives during the import', async (t) => {
    const { store, from, importThis } = await makeImporter(t);
    mkdirSync(from);
    await sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })
      .png()
      .toFile(join(from, 'me.png'));
    const town = { id: '77', source: 'bot', state: 'live', private: false, demo: false } as const;
    await store.putChannel({ ...town, title: 'Town', about: 'Old' });
    const putMessages: typeof store.putMessages = async (messages) => {
      await store.putChannel({ ...town, title: 'Town now', about: 'New' });
      return store.putMessages(messages);
    };
    await importThis(channelExport([exportedMessage(1)]), { picture: 'me.png', store: { ...store, putMessages } });
    const channel = await store.channel('77', ALL);
    assert.deepEqual([channel?.title, channel?.about, channel?.picture?.width], ['Town now', 'New', 8]);
  });

  it('groups compatible files of the same second into albums of at most ten, and nothing else', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const second = (id: number, at: number, more: object = {}) =>
      exportedMessage(id, {
        date_unixtime: String(1_700_000_000 + at),
        text: '',
        text_entities: [],
        photo: NOT_INCLUDED,
        ...more,
      });
    const file = { photo: undefined, file: NOT_INCLUDED, file_name: 'a.pdf' };
    await importThis(
      channelExport([
        ...[
          second(1, 0),
          second(2, 0, { text: 'caption', text_entities: [{ type: 'plain', text: 'caption' }] }),
          second(3, 0, { photo: undefined, file: NOT_INCLUDED, media_type: 'video_file' }),
        ],
        ...[second(4, 1), second(5, 2)],
        ...[second(6, 3), second(7, 3, file)],
        ...[second(8, 4, file), second(9, 4, file)],
        ...[second(10, 5), second(11, 5, { forwarded_from: 'X' })],
        ...[
          second(12, 6, { text_entities: [{ type: 'plain', text: 'one' }] }),
          second(13, 6, { text_entities: [{ type: 'plain', text: 'two' }] }),
        ],
        ...Array.from({ length: 12 }, (_, at) => second(20 + at, 7)),
      ]),
    );
    const albums = (await store.posts({ limit: 100 }, ALL)).map(({ id, media }) => [id, media.length]).reverse();
    assert.deepEqual(albums, [
      [1, 3],
      [4, 1],
      [5, 1],
      [6, 1],
      [7, 1],
      [8, 2],
      [10, 1],
      [11, 1],
      [12, 1],
      [13, 1],
      [20, 10],
      [30, 2],
    ]);
  });

  it('reports invalid messages and imports the rest', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const report = await importThis(
      channelExport([
        exportedMessage(1),
        'what?',
        { type: 'message', date_unixtime: '5', text: '' },
        exportedMessage(4, { date: undefined, date_unixtime: undefined }),
        exportedMessage(5, { text: 7, text_entities: undefined }),
        exportedMessage(6, { type: 'mystery' }),
        exportedMessage(7),
      ]),
    );
    assert.deepEqual(
      report.skipped.map(({ subject }) => subject),
      ['entry 1', 'entry 2', 'message 4', 'message 5', 'message 6'],
    );
    for (const { reason } of report.skipped) assert.ok(reason.length > 5);
    assertCountsAddUp(report);
    assert.equal(report.channels[0]?.skipped, 5);
    assert.deepEqual(
      (await store.posts({ limit: 9 }, ALL)).map(({ id }) => id),
      [7, 1],
    );
  });

  it('gives a message that is only an id the date of its neighbour', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const report = await importThis(
      channelExport([{ id: 1, type: 'unsupported' }, exportedMessage(2), { id: 3, type: 'unsupported' }, exportedMessage(4)]),
    );
    assertCountsAddUp(report);
    const posts = await store.posts({ limit: 9 }, ALL);
    assert.deepEqual(
      posts.map(({ id, other }) => [id, other]),
      [
        [4, undefined],
        [3, 'unsupported'],
        [2, undefined],
        [1, 'unsupported'],
      ],
    );
  });

  it('keeps the relevant service messages, and pins the post that was pinned last', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const service = (id: number, more: object) => exportedMessage(id, { type: 'service', text: '', text_entities: [], ...more });
    const report = await importThis(
      channelExport([
        service(1, { action: 'create_channel', title: 'First' }),
        exportedMessage(2),
        exportedMessage(3),
        service(4, { action: 'pin_message', message_id: 2 }),
        service(5, { action: 'edit_group_title', title: 'Town' }),
        service(6, { action: 'pin_message', message_id: 3 }),
        service(7, { action: 'group_call' }),
        service(-8, { action: 'joined' }),
      ]),
    );
    assert.equal(
      report.countsLine,
      'Imported 1 channel: 8 messages = 2 posts + 6 service + 0 skipped (2 new, 0 changed, 0 as before)',
    );
    const posts = await store.posts({ limit: 9 }, ALL);
    assert.deepEqual(posts.map(({ id, service }) => [id, service?.action, service?.title ?? service?.messageId]).reverse(), [
      [1, 'created', 'First'],
      [2, undefined, undefined],
      [3, undefined, undefined],
      [4, 'pinned', 2],
      [5, 'renamed', 'Town'],
      [6, 'pinned', 3],
    ]);
    assert.equal((await store.channel('77', ALL))?.pinned, 3);
    assert.deepEqual((await store.channel('77', ALL))?.pinnedPosts, [3, 2]);
  });

  it('pins the newest 20 of many pinned messages, and none newer than the newest pin that the bot reported', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const service = (id: number, more: object) => exportedMessage(id, { type: 'service', text: '', text_entities: [], ...more });
    const ids = Array.from({ length: 30 }, (_, at) => at + 1);
    const pins = ids.map((id) => service(id + 100, { action: 'pin_message', message_id: id }));
    await importThis(channelExport([...ids.map((id) => exportedMessage(id)), ...pins]));
    const pinned = async () => (await store.channel('77', ALL))?.pinnedPosts;
    assert.deepEqual(await pinned(), ids.slice(10).reverse());
    await store.putNewestPin('77', 15, 2_000_000_000);
    await importThis(channelExport([...ids.map((id) => exportedMessage(id)), ...pins]));
    assert.deepEqual(await pinned(), ids.slice(0, 15).reverse());
  });
});

describe('import of files', () => {
  it('stores the files that exist, reports the missing ones, and adds them in a second import', async (t) => {
    const { store, dataDir, from, importThis } = await makeImporter(t);
    mkdirSync(join(from, 'photos'), { recursive: true });
    mkdirSync(join(from, 'files'), { recursive: true });
    await sharp({ create: { width: 30, height: 20, channels: 3, background: '#0000ff' } })
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toFile(join(from, 'photos/a.jpg'));
    writeFileSync(join(from, 'files/page.html'), '<script>alert(1)</script>');
    writeFileSync(join(from, 'photos/broken.jpg'), Buffer.from('ffd8ffe000104a464946', 'hex'));
    const messages = [
      exportedMessage(1, { photo: 'photos/a.jpg', photo_file_size: 1, width: 30, height: 20 }),
      exportedMessage(2, { file: 'files/page.html', file_name: 'page.html', mime_type: 'text/html', thumbnail: 'photos/a.jpg' }),
      exportedMessage(3, { photo: 'photos/broken.jpg' }),
      exportedMessage(4, { photo: 'photos/gone.jpg' }),
      exportedMessage(5, {
        file: '(File exceeds maximum size. Change data exporting settings to download.)',
        media_type: 'video_file',
        file_size: 9,
      }),
      exportedMessage(6, { photo: NOT_INCLUDED }),
    ];
    const report = await importThis(channelExport(messages));
    assert.deepEqual(
      report.deviations.map(({ subject }) => subject),
      ['photos/broken.jpg', 'photos/gone.jpg'],
    );
    const media = async (id: number) => (await store.post('77', id, ALL))?.media[0];
    const photo = await media(1);
    assert.deepEqual([photo?.type, photo?.width, photo?.height, photo?.mime], ['photo', 20, 30, 'image/jpeg']);
    assert.match(photo?.src ?? '', /^\/media\/[0-9a-f]{64}\.jpg$/);
    const page = await media(2);
    assert.deepEqual([page?.type, page?.name, page?.poster?.width], ['document', 'page.html', 20]);
    assert.match(page?.src ?? '', /\.bin$/);
    assert.equal((await store.mediaFile(page?.src?.slice(7) ?? ''))?.mime, 'application/octet-stream');
    assert.equal((await media(3))?.type, 'document');
    assert.deepEqual(
      [(await media(4))?.missing, (await media(5))?.missing, (await media(6))?.missing],
      ['lost', 'too-large', 'not-included'],
    );
    await sharp({ create: { width: 5, height: 5, channels: 3, background: 'red' } })
      .webp()
      .toFile(join(from, 'photos/gone.jpg'));
    const second = await importThis(channelExport(messages));
    assert.equal(second.channels[0]?.updated, 1);
    assert.match((await media(4))?.src ?? '', /\.webp$/);
    assert.deepEqual(readdirSync(join(dataDir, 'media/incoming')), []);
  });

  it('reports a file without read permission, and stores the rest', async (t) => {
    const { store, dataDir, from, importThis } = await makeImporter(t);
    mkdirSync(from, { mode: 0o777 });
    chmodSync(from, 0o777);
    for (const name of ['closed.txt', 'open.txt']) writeFileSync(join(from, name), name);
    chmodSync(join(from, 'closed.txt'), 0);
    chmodSync(dataDir, 0o777);
    // Root ignores file permissions.
    const isRoot = process.geteuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    const messages = [exportedMessage(1, { file: 'closed.txt' }), exportedMessage(2, { file: 'open.txt' })];
    const report = await importThis(channelExport(messages)).finally(() => isRoot && process.seteuid?.(0));
    assert.deepEqual(report.deviations, [
      { channelId: '77', subject: 'closed.txt', reason: 'this user has no permission to read it' },
    ]);
    const { posts } = await contentOf(store);
    assert.deepEqual(
      posts.map((post) => post.media[0]?.missing),
      [undefined, 'lost'],
    );
  });

  it('rejects paths that lead out of the export', async (t) => {
    const { store, from, dataDir, importThis } = await makeImporter(t);
    mkdirSync(from);
    writeFileSync(join(dataDir, 'secret.txt'), 'secret');
    symlinkSync(join(dataDir, 'secret.txt'), join(from, 'link.txt'));
    const paths = ['../secret.txt', join(dataDir, 'secret.txt'), 'link.txt', 'photos/../../secret.txt', '.', 'a\u0000b'];
    const report = await importThis(channelExport(paths.map((file, at) => exportedMessage(at + 1, { file }))));
    assert.deepEqual(
      report.deviations.map(({ subject }) => subject),
      paths,
    );
    for (const post of await store.posts({ limit: 9 }, ALL))
      assert.deepEqual([post.media[0]?.src, post.media[0]?.missing], [undefined, 'lost']);
    assert.ok(!existsSync(join(dataDir, 'media')) || readdirSync(join(dataDir, 'media')).every((name) => name === 'incoming'));
  });
});

describe('import of an invalid file', () => {
  it('changes nothing if the file is cut at any position, and reports the position', async (t) => {
    const { store, from, importThis, importFile } = await makeImporter(t);
    await importThis(channelExport([exportedMessage(1)]));
    const before = await contentOf(store);
    const exportText = JSON.stringify(
      channelExport([
        exportedMessage(1, { text: 'changed “✂” текст' }),
        exportedMessage(2),
        exportedMessage(3, { photo: NOT_INCLUDED }),
      ]),
      null,
      1,
    );
    const bytes = Buffer.from(exportText);
    const offsets = [
      0,
      1,
      bytes.length - 1,
      ...Array.from({ length: 60 }, (_, at) => Math.floor((bytes.length * (at + 0.5)) / 60)),
    ];
    for (const offset of offsets) {
      const lines = bytes.subarray(0, offset).toString('latin1').split('\n').length;
      const expectedError = new RegExp(`\\(byte ${offset}, line ${lines}, (in message [123]|at )`);
      writeFileSync(join(from, 'result.json'), bytes.subarray(0, offset));
      await assert.rejects(importFile(from), expectedError, `cut at ${offset}`);
    }
    assert.deepEqual(await contentOf(store), before);
  });

  for (const [label, content, reason] of [
    ['another kind of JSON', '{"hello": []}', /not an export of Telegram Desktop/],
    ['a list', '[1, 2]', /not an export of Telegram Desktop/],
    ['text that is not JSON', '<html></html>', /byte 0, line 1/],
    ['data after the end', `${JSON.stringify(channelExport([exportedMessage(1)]))} {`, /Expected nothing/],
    ['an extra comma', '{"name": "A", "type": "public_channel", "id": 1, "messages": [{"id": 1},]}', /byte 72, line 1/],
    [
      'a broken message',
      '{"name": "A", "type": "public_channel", "id": 1,\n"messages": [{"id": 1}, {"id": tru}]}',
      /line 2, in message 2/,
    ],
    [
      'a private chat',
      JSON.stringify({ name: 'Friend', type: 'personal_chat', id: 1, messages: [exportedMessage(1)] }),
      /personal_chat "Friend"/,
    ],
    ['messages that are not objects', JSON.stringify(channelExport([1, 2])), /looks like a message/],
    ['brackets without end', '['.repeat(100_000), /too deep/],
    ['an id that is a string', JSON.stringify(channelExport([exportedMessage(1)], { id: '77' })), /"Town" has the id "77"/],
    [
      'an id of the Bot API',
      JSON.stringify(channelExport([exportedMessage(1)], { id: -1000000000077 })),
      /"Town" has the id -1000000000077/,
    ],
  ] as const)
    it(`rejects ${label} and changes nothing`, async (t) => {
      const { store, importThis } = await makeImporter(t);
      await assert.rejects(
        importThis(content),
        (error: Error) => reason.test(error.message) && /Nothing was imported\.$/.test(error.message),
      );
      assert.equal(await store.isEmpty(), true);
    });

  it('reports that a path does not exist', async (t) => {
    const { importFile } = await makeImporter(t);
    await assert.rejects(importFile('/nowhere/at/all'), /does not exist; specify the result\.json/);
  });
});

describe('import while other processes use the store', () => {
  it('stores the same rows if it was killed halfway and run again', async (t) => {
    const file = writeExport(folderOf(t), many(4000));
    const dataDir = folderOf(t);
    const importer = spawn(process.execPath, ['--import', 'tsx', 'server/cli/import.ts', file], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    for await (const chunk of importer.stderr) if (/writing [3-9]0/.test(String(chunk))) importer.kill('SIGKILL');
    const store = await openStore({ dataDir });
    t.after(() => store.close());
    const half = (await store.channelCounts(['77'])).get('77')?.messages ?? 0;
    assert.ok(half > 0 && half < 4000, `${half} of 4000 when killed`);
    assert.equal(await store.setting('import 77'), 'writing');
    assert.deepEqual([await store.incompleteImports(), await contentOf(store)], [['77'], { channels: [], posts: [] }]);
    const again = spawn(process.execPath, ['--import', 'tsx', 'server/cli/import.ts', file], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    assert.deepEqual(await once(again, 'exit'), [0, null]);
    assert.equal(await store.setting('import 77'), 'complete');
    assert.deepEqual(await store.incompleteImports(), []);
    const uninterrupted = await makeImporter(t);
    await uninterrupted.importFile(file);
    assert.deepEqual(await contentOf(store), await contentOf(uninterrupted.store));
  });

  it('shows nothing of a new channel until it is complete, and keeps showing the previous posts of an existing one', async (t) => {
    const { store, importThis } = await makeImporter(t);
    const channelRow = { id: '77', title: 'Town', source: 'export', state: 'archived', private: false, demo: false } as const;
    await store.beginImport(channelRow);
    await store.putMessages([message('77', 1)]);
    assert.deepEqual(await contentOf(store), { channels: [], posts: [] });
    await importThis(channelExport([exportedMessage(1), exportedMessage(2)]));
    assert.equal((await contentOf(store)).posts.length, 2);
    await store.beginImport(channelRow);
    assert.deepEqual([await store.incompleteImports(), (await contentOf(store)).posts.length], [['77'], 2]);
  });

  it('does not restore a channel that an operator is removing, and shows one that was connected meanwhile', async (t) => {
    const { store, importThis } = await makeImporter(t);
    await importThis(channelExport([exportedMessage(1)]));
    await store.disconnect('77', { at: 1, due: 2, remove: true });
    await importThis(channelExport([exportedMessage(1), exportedMessage(2)]));
    assert.equal(await store.channel('77', ALL), null);
    await store.reconnect('77');
    assert.equal((await contentOf(store)).posts.length, 2);
    await store.beginImport({ id: '78', title: 'Cove', source: 'export', state: 'archived', private: false, demo: false });
    const rights = ['can_post_messages'];
    await store.recordMembership({ channelId: '78', title: 'Cove', username: 'cove', by: '1', at: 1, sequence: 1, rights }, true);
    assert.equal((await store.channel('78', ALL))?.source, 'bot');
  });

  it('lets a server read and write at the same time', async (t) => {
    const { store, dataDir, from, importThis } = await makeImporter(t);
    await importThis(channelExport([exportedMessage(1)], { id: 5 }));
    const file = writeExport(from, many(1000));
    const begun = performance.now();
    const importing = importInThread({ path: file, dataDir });
    let [done, slowest, writes] = [false, 0, 0];
    void importing.finally(() => (done = true));
    while (!done) {
      const started = performance.now();
      writes += 1;
      await store.putReadMarker('9', { channelId: '5', messageId: writes }, false);
      assert.equal((await store.posts({ limit: 5, channelIds: ['5'] }, ALL)).length, 1);
      slowest = Math.max(slowest, performance.now() - started);
      await new Promise(setImmediate);
    }
    const report = await importing;
    const duration = performance.now() - begun;
    assert.equal(report.channels[0]?.inserted, 1000);
    assert.ok(writes > 5 && slowest < duration / 2, `${writes} writes, the slowest ${slowest} of ${duration} ms`);
    assert.deepEqual(await store.readMarkers('9'), [{ channelId: '5', messageId: writes }]);
  });

  it('fails in its own thread with the same error as outside of it', async (t) => {
    const { dataDir } = await makeImporter(t);
    await assert.rejects(importInThread({ path: '/nowhere', dataDir }), /^ImportError: /);
  });
});

describe('npm run import', () => {
  const run = async (dataDir: string, ...args: string[]) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'server/cli/import.ts', ...args], {
      env: { ...process.env, DATA_DIR: dataDir },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    const [code] = await once(child, 'close');
    return { code, stdout, stderr };
  };

  it('prints the counts as its last line, reports skipped messages, and fails if it rejects a file', async (t) => {
    const { from, dataDir } = await makeImporter(t);
    const file = writeExport(from, channelExport([exportedMessage(1), { id: 2, type: 'message' }]));
    const good = await run(dataDir, file, '--username', 'town');
    assert.equal(good.code, 0);
    assert.equal(
      good.stdout,
      'Imported 1 channel: 2 messages = 1 posts + 0 service + 1 skipped (1 new, 0 changed, 0 as before)\n',
    );
    assert.match(good.stderr, /Skipped message 2 of channel 77: it has no date\./);
    writeExport(from, '{"messages": [');
    const truncated = await run(dataDir, file);
    assert.deepEqual([truncated.code, truncated.stdout], [1, '']);
    assert.match(truncated.stderr, /looks truncated/);
    assert.doesNotMatch(truncated.stderr, /\n\s+at /);
  });

  it('continues with the next file after a rejected one, and prints no control characters of terminals', async (t) => {
    const { from, dataDir } = await makeImporter(t);
    const truncatedFile = join(from, 'torn.json');
    const file = writeExport(from, channelExport([exportedMessage(1, { file: 'files/\u001b[2J' })]));
    writeFileSync(truncatedFile, '{"messages": [\u001b[2J');
    const run2 = await run(dataDir, truncatedFile, file);
    assert.equal(run2.code, 1);
    assert.match(run2.stdout, /^Imported 1 channel: 1 messages = 1 posts/);
    assert.match(run2.stderr, /torn\.json is not a complete JSON file/);
    assert.match(run2.stderr, /Note on files\/.+ the file does not exist/);
    assert.doesNotMatch(run2.stderr, /\p{Cc}(?<!\n)/u);
  });

  it('summarizes many notes by kind, and lists them all in a file', async (t) => {
    const { from, dataDir } = await makeImporter(t);
    const withMissingFiles = Array.from({ length: 500 }, (_, at) => exportedMessage(at + 1, { photo: `photos/photo_${at}.jpg` }));
    const file = writeExport(
      from,
      channelExport([...withMissingFiles, exportedMessage(501, { file: 'files/\u001b[2J' }), { id: 502, type: 'message' }]),
    );
    const { code, stderr } = await run(dataDir, file);
    assert.equal(code, 0);
    assert.match(stderr, /Skipped 1 messages: it has no date\./);
    assert.match(stderr, /Note on 500 files in photos\/: the file does not exist\./);
    assert.match(stderr, /Note on 1 files in files\/: the file does not exist\./);
    assert.ok(stderr.split('\n').filter((line) => /^(Note|Skipped)/.test(line)).length < 5, stderr);
    const [, path = ''] = /The full list: (.+)/.exec(stderr) ?? [];
    const list = readFileSync(path, 'utf8').trim().split('\n');
    assert.equal(list.length, 502);
    assert.equal(list[1], 'Note on photos/photo_0.jpg of channel 77: the file does not exist.');
    assert.doesNotMatch(list.join(''), /\p{Cc}/u);
  });

  it('fails and prints its usage if no path is given', async (t) => {
    const { dataDir } = await makeImporter(t);
    const { code, stdout, stderr } = await run(dataDir);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^No PATH was given\.\nnpm run import/);
  });

  it('removes the demo with --remove-demo', async (t) => {
    const { store, dataDir, importThis } = await makeImporter(t);
    await importThis(channelExport([exportedMessage(1)]), { demo: true });
    const removed = await run(dataDir, '--remove-demo');
    assert.deepEqual([removed.code, removed.stdout], [0, 'Removed 1 demo channels.\n']);
    assert.equal(await store.isEmpty(), true);
  });

  it('records its actions in the audit log, with the command as the actor', async (t) => {
    const { store, from, dataDir } = await makeImporter(t);
    assert.equal(
      (await run(dataDir, writeExport(from, channelExport([exportedMessage(1)], { id: 5 })), '--remove-demo')).code,
      0,
    );
    assert.deepEqual(
      (await store.auditEntries({ limit: 9 })).map(({ act, actor, channelId }) => [act, actor, channelId]),
      [
        ['import', { id: 'import' }, '5'],
        ['remove-demo', { id: 'import' }, undefined],
      ],
    );
  });
});
