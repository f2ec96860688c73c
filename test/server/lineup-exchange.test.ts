// Export and import of a line-up: links, feed addresses and OPML.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Channel } from '../../contract/channel.ts';
import type { LineupContents } from '../../contract/lineup.ts';
import { ApiError } from '../../src/api/api-error.ts';
import { retryAfterSeconds } from '../../src/api/retry-after.ts';
import { startParamPath } from '../../src/app/router/routes.ts';
import { toLineupRows } from '../../src/data/lineup/selectors.ts';
import { findLinkedChannel, parseWebAddress } from '../../src/features/import-export/model/channel-address.ts';
import {
  addImportedChannels,
  type ImportedChannel,
  importChannels,
} from '../../src/features/import-export/model/import-channels.ts';
import {
  decodeLineupLink,
  encodeLineupLink,
  MAX_LINK_LENGTH,
  MAX_START_PARAM_LENGTH,
} from '../../src/features/import-export/model/lineup-link.ts';
import type { OpmlOutline } from '../../src/features/import-export/model/opml-parse.ts';
import { writeLineupOpml } from '../../src/features/import-export/model/opml-write.ts';

const ORIGIN = 'https://gazette.example';
const channel = (id: string, title = id, more: Partial<Channel> = {}): Channel => ({
  id,
  title,
  source: 'bot',
  state: 'live',
  private: false,
  demo: false,
  ...more,
});
const telegramIds = (count: number) => Array.from({ length: count }, (_, index) => String(1_000_000_000 + index * 7919));

describe('the link of a line-up', () => {
  const shared = { name: 'Утро ☀️', channelIds: ['1000000005', 'f-00ff00ff00ff00ff', '7', 'f-0000000000000000'] };
  const rejectionOf = (code: string) => {
    const read = decodeLineupLink(code);
    return read.type === 'rejected' ? read.reason : 'read';
  };

  it('decodes to the same line-up, and contains only characters that Telegram accepts', () => {
    const code = encodeLineupLink(shared);
    assert.match(code, /^[\w-]+$/);
    assert.deepEqual(decodeLineupLink(code), { type: 'read', shared });
    const nameless = { name: '', channelIds: ['7'] };
    assert.deepEqual(decodeLineupLink(encodeLineupLink(nameless)), { type: 'read', shared: nameless });
  });

  it('has space for six channels in a start parameter, and for a thousand in a URL', () => {
    assert.ok(encodeLineupLink({ name: 'Morning', channelIds: telegramIds(6) }).length + 2 <= MAX_START_PARAM_LENGTH);
    const thousandChannels = encodeLineupLink({ name: 'Morning', channelIds: telegramIds(1000) });
    assert.ok(thousandChannels.length <= MAX_LINK_LENGTH);
    assert.equal(rejectionOf(thousandChannels), 'read');
  });

  it('is rejected completely if it was cut or changed at any position', () => {
    const code = encodeLineupLink(shared);
    for (let at = 0; at < code.length; at++) {
      assert.equal(rejectionOf(code.slice(0, at)), 'broken', `cut at ${at}`);
      const other = code[at] === 'x' ? 'y' : 'x';
      assert.equal(rejectionOf(code.slice(0, at) + other + code.slice(at + 1)), 'broken', `changed at ${at}`);
    }
  });

  it('is rejected if it is malformed, repeats a channel or is too large', () => {
    const link = encodeLineupLink({ name: '', channelIds: ['7'] });
    for (const code of ['', 'x', '__', '<script>', `${link}-${link.slice(2)}`, `${link}%`, `${link}_`, 'ab0', 'é7'])
      assert.equal(rejectionOf(code), 'broken', code);
    assert.equal(rejectionOf('7-'.repeat(10_000)), 'too-large');
    assert.equal(rejectionOf(`xx${Array.from({ length: 1001 }, (_, index) => `${10 + index}`).join('-')}`), 'too-large');
  });

  it('has a name of one line, without characters that change the text direction', () => {
    const read = decodeLineupLink(encodeLineupLink({ name: ` a\u202e\n b\ud800 ${'é'.repeat(80)}`, channelIds: ['7'] }));
    assert.equal(read.type === 'read' && read.shared.name, `a b ${'é'.repeat(60)}`);
  });

  it('can also be opened from a start parameter', () => {
    const code = encodeLineupLink(shared);
    assert.equal(startParamPath(`l_${code}`), `/changer?lineup=${code}`);
    assert.equal(startParamPath('l_<b>'), null);
    assert.equal(startParamPath(`l_${'7'.repeat(600)}`), null);
    assert.equal(startParamPath('c_7_12'), '/channel/7?post=12');
  });
});

describe('the address of a channel', () => {
  const channels = [channel('100', 'Gazette', { username: 'Gazette_Daily' }), channel('f-00ff00ff00ff00ff')];
  const found = (text: string) => findLinkedChannel(text, channels, ORIGIN)?.id;

  it('leads to a channel of this server if it is its page, one of its feeds or a Telegram link', () => {
    for (const text of [
      '@gazette_daily',
      't.me/Gazette_Daily',
      'https://t.me/s/gazette_daily/12',
      'https://telegram.me/gazette_daily',
      'https://t.me/c/100/5',
      'tg://resolve?domain=gazette_daily',
      `${ORIGIN}/channel/gazette_daily?post=3`,
      'gazette.example/channel/100',
      `${ORIGIN}/feeds/100.rss`,
    ])
      assert.equal(found(text), '100', text);
    assert.equal(found(`feed:${ORIGIN}/feeds/f-00ff00ff00ff00ff.atom`), 'f-00ff00ff00ff00ff');
  });

  it('leads to no channel if it belongs to another site', () => {
    for (const text of [
      '',
      'https://other.example/channel/100',
      `${ORIGIN}/main`,
      `${ORIGIN}/channel/%E0%A4%A`,
      't.me',
      '@nobody',
    ])
      assert.equal(found(text), undefined, text);
  });

  it('is completed to a full URL for a feed, and rejected if it is not a web URL', () => {
    assert.equal(parseWebAddress(' example.org/feed '), 'https://example.org/feed');
    assert.equal(parseWebAddress('feed://example.org/feed'), 'https://example.org/feed');
    assert.equal(parseWebAddress('feed:http://example.org/feed'), 'http://example.org/feed');
    for (const text of ['', 'tides', 'javascript:alert(1)', 'ftp://example.org', `https://example.org/${'x'.repeat(2000)}`])
      assert.equal(parseWebAddress(text), null, text);
  });
});

describe('the OPML export of a line-up', () => {
  const contents: LineupContents = {
    entries: [
      { channelId: '2' },
      { channelId: 'f-1', feed: 'https://a.example/?x=1&y="2"' },
      { channelId: '4' },
      { channelId: '3', followed: false },
    ],
    presets: [{ id: 'p', name: 'Work, life/rest', channelIds: ['2', 'f-1'] }],
  };
  const rows = toLineupRows(
    [
      channel('2', 'Tom & <Jerry>\u0000', { username: 'jerry' }),
      channel('f-1'),
      channel('4', 'Trial', { demo: true }),
      channel('3'),
    ],
    contents,
    new Map(),
    0,
  );
  const text = writeLineupOpml({
    title: 'Mine & yours',
    createdAt: new Date(0),
    rows: rows.filter((row) => row.followed),
    presets: contents.presets ?? [],
    origin: ORIGIN,
    pagePath: (row) => `/channel/${row.channel.username ?? row.channel.id}`,
  });

  it('lists every followed channel in order: its feed on this server, the URL of a reader-added feed, or its page', () => {
    assert.deepEqual(text.match(/<outline.*>/g), [
      `<outline text="Tom &amp; &lt;Jerry&gt;" title="Tom &amp; &lt;Jerry&gt;" type="rss" xmlUrl="${ORIGIN}/feeds/jerry.rss" htmlUrl="${ORIGIN}/channel/jerry" category="/Work%2C life%2Frest"/>`,
      '<outline text="f-1" title="f-1" type="rss" xmlUrl="https://a.example/?x=1&amp;y=&quot;2&quot;" category="/Work%2C life%2Frest"/>',
      `<outline text="Trial" title="Trial" type="link" url="${ORIGIN}/channel/4" htmlUrl="${ORIGIN}/channel/4"/>`,
    ]);
    assert.match(text, /<title>Mine &amp; yours<\/title>\s*<dateCreated>Thu, 01 Jan 1970 00:00:00 GMT<\/dateCreated>/);
  });
});

describe('importChannels', () => {
  const outline = (address: string, ...folders: string[]): OpmlOutline => ({ address, title: address, folders });
  const brought = (from: OpmlOutline): ImportedChannel => ({
    outline: from,
    channel: channel(`f-${from.address}`),
    feed: from.address,
  });
  const tooMany = new ApiError('Too many', 429, { response: { headers: { 'retry-after': '7' } } });

  async function run(addresses: readonly string[], errorsByAddress: Readonly<Record<string, readonly unknown[]>>, stopAt = '') {
    const log: string[] = [];
    const stop = new AbortController();
    const left = new Map(Object.entries(errorsByAddress).map(([address, thrown]) => [address, [...thrown]]));
    await importChannels(
      addresses.map((address) => outline(address)),
      {
        findKnown: (from) => (from.address === 'here' ? brought(from) : null),
        async add(from) {
          log.push(`ask ${from.address}`);
          if (from.address === stopAt) stop.abort();
          const thrown = left.get(from.address)?.shift();
          if (thrown !== undefined) throw thrown;
          return brought(from);
        },
        retryDelaySeconds: retryAfterSeconds,
        wait: async (seconds) => void log.push(`wait ${seconds}`),
        onStart: () => {},
        onImported: (imported) => log.push(`+${imported.outline.address}`),
        onFailed: (failed) => log.push(`-${failed.outline.address}: ${failed.failure.message}`),
        signal: stop.signal,
      },
    );
    return log;
  }

  it('continues after a channel that failed, and sends no request for known channels', async () => {
    const errorsByAddress = { b: [new ApiError('No feed.', 422)] };
    assert.deepEqual(await run(['a', 'b', 'here', 'c'], errorsByAddress), [
      'ask a',
      '+a',
      'ask b',
      '-b: No feed.',
      '+here',
      'ask c',
      '+c',
    ]);
  });

  it('waits as long as the server requires, then sends the request again', async () => {
    assert.deepEqual(await run(['a', 'b'], { a: [tooMany] }), ['ask a', 'wait 7', 'ask a', '+a', 'ask b', '+b']);
    assert.equal(retryAfterSeconds(new ApiError('Too many', 429)), 30);
    assert.equal(retryAfterSeconds(new ApiError('No feed.', 422)), null);
  });

  it('reports all remaining channels as failed after an error that would affect them all', async () => {
    for (const thrown of [new ApiError('No response received', null), new ApiError('Not here', 403)])
      assert.deepEqual(await run(['a', 'b'], { a: [thrown] }), ['ask a', `-a: ${thrown.message}`, `-b: ${thrown.message}`]);
  });

  it('stops after the channel in progress', async () => {
    assert.deepEqual(await run(['a', 'b'], {}, 'a'), ['ask a', '+a']);
  });

  it('adds all channels in order as followed, and creates presets from folders', () => {
    const before: LineupContents = { entries: [{ channelId: 'f-b', followed: false }, { channelId: '1' }] };
    const all = [brought(outline('b')), brought(outline('a', 'News'))];
    const after = addImportedChannels(all, [{ id: 'p', name: 'News' }])(before, 5);
    assert.deepEqual(after.entries, [
      { channelId: 'f-b', followed: true, feed: 'b', changed: 5 },
      { channelId: '1' },
      { channelId: 'f-a', followed: true, feed: 'a', changed: 5 },
    ]);
    assert.deepEqual(after.presets, [{ id: 'p', name: 'News', channelIds: ['f-a'], changed: 5 }]);
    assert.equal(addImportedChannels(all, [{ id: 'p', name: 'News' }])(after, 9), after);
  });
});
