// Fuzz properties of the contract between server and browser.

import assert from 'node:assert/strict';
import { validateHeaderValue } from 'node:http';
import { sign } from '@telegram-apps/init-data-node';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { parseLiveEvent } from '../../contract/events.ts';
import { parseExtra } from '../../contract/extra.ts';
import { parseLaunchData } from '../../contract/launch-data.ts';
import { LineupContents } from '../../contract/lineup.ts';
import { mergeLineups } from '../../contract/merge-lineup.ts';
import * as parse from '../../contract/parse.ts';
import * as account from '../../contract/parse-account.ts';
import * as operator from '../../contract/parse-operator.ts';
import { plainText } from '../../contract/plain-text.ts';
import { prerenderPath } from '../../contract/prerender.ts';
import { toTextRuns } from '../../contract/runs.ts';
import type { Parse } from '../../contract/shape.ts';
import { readAttribute } from '../../elements/attributes.ts';
import { parseGrant } from '../../elements/embed/grant.ts';
import { checkLaunchData } from '../../server/auth/launch-data.ts';
import { ConfigError, readConfig } from '../../server/config.ts';
import { createEventIdCodec } from '../../server/events/event-ids.ts';
import { HttpError } from '../../server/http/errors.ts';
import { detectFileType, isShownInline } from '../../server/media/files.ts';
import { parseRange } from '../../server/media/http-range.ts';
import { contentDisposition } from '../../server/media/routes.ts';
import { createUrlSigner } from '../../server/media/signed-urls.ts';
import { decodeCursor, encodeCursor } from '../../server/posts/pagination.ts';
import { lineHtml, textHtml } from '../../server/publishing/html/text.ts';
import { parsePageAddress } from '../../server/publishing/page-content.ts';
import { decodeLineupLink, encodeLineupLink } from '../../src/features/import-export/model/lineup-link.ts';
import { parseThemeColors } from '../../src/theme/color.ts';
import { orNullIfRejected, property } from './property.ts';
import { checkHarmless } from './published.ts';
import { json, mutated, mutatedText, text } from './values.ts';

const CHANNEL = {
  id: '7',
  title: 'T',
  username: 't',
  source: 'bot',
  state: 'live',
  private: false,
  demo: false,
  latest: { id: 1, date: 2 },
};
const POST = {
  ...{
    channelId: '7',
    id: 1,
    date: 2,
    text: 'hello',
    entities: [{ type: 'bold', offset: 0, length: 2, url: 'https://x.example' }],
  },
  ...{ media: [{ type: 'photo', messageId: 1, src: '/media/a', width: 1, height: 1 }], reactions: [{ emoji: 'x', count: 1 }] },
  ...{
    poll: { question: 'q', closed: false, options: [{ text: 'a' }] },
    reply: { id: 1 },
    forward: { name: null },
    service: { action: 'created' },
  },
  extra: {
    type: 'rich',
    blocks: [
      { type: 'paragraph', text: 'a', entities: [] },
      { type: 'list', items: [{ label: '1', blocks: [] }] },
    ],
  },
};
const LINEUP = {
  ...{
    version: 1,
    ordered: 5,
    entries: [
      { channelId: '7', changed: 3 },
      { channelId: '8', mutedUntil: 0, mutedWords: ['a'] },
    ],
  },
  presets: [{ id: 'p', name: 'P', channelIds: ['7'], changed: 1 }],
};
const PAGE = { items: [POST], next: null, previous: 'c', channels: [CHANNEL], hits: { '7/1': [0, 2] } };
const MESSAGES = [
  ...[CHANNEL, POST, LINEUP, PAGE, POST.extra, { post: POST, channel: CHANNEL }, { items: [CHANNEL], next: null }],
  ...[
    { type: 'new', post: POST, channel: CHANNEL },
    { type: 'hidden', channelId: '7' },
    { 'Access-Token': 'x', user: { id: '1', name: 'n' }, expiresAt: 'x' },
    { items: [{ id: 'x', lastUsed: '2026-01-01T00:00:00.000Z', current: true }] },
  ],
];

/** Asserts that the parsed value parses to the same value again. */
const assertParsesAgain = (read: Parse<unknown>, raw: unknown): void => {
  const first = orNullIfRejected(() => read(raw, 'it'), ParseError);
  if (first !== null) assert.deepEqual(read(first, 'it'), first);
};

const { ParseError, ...PARSERS } = parse;
const READERS: readonly Parse<unknown>[] = [
  ...[PARSERS, operator, account].flatMap((readers) => Object.values<Parse<unknown>>(readers)),
  ...[parseExtra, parseLiveEvent],
];

const TOKEN = '12345:TEST';
const NOW = 1_767_225_600_000;
const SIGNED = sign({ user: { id: 7, first_name: 'Ann' }, query_id: 'AAA', start_param: 'x' }, TOKEN, new Date(NOW));
const GENUINE = new Map(new URLSearchParams(SIGNED));

const entries = fc.uniqueArray(
  fc.record(
    { channelId: fc.constantFrom('1', '2', '3', '4', '__proto__'), changed: fc.nat(3), followed: fc.boolean() },
    { requiredKeys: ['channelId'] },
  ),
  { selector: ({ channelId }) => channelId },
);
const lineup = fc.record({ entries, ordered: fc.nat(3) });

const ids = createEventIdCodec('AAAAAAAAAAAAAAAAAAAAAA');
const grants = createUrlSigner('secret');
const bytes = fc.uint8Array({ maxLength: 80 });
const sizes = fc.oneof(fc.constantFrom(0, 1, 2, 1000, 2 ** 40), fc.nat(5000));
const range = fc.oneof(
  text,
  fc.tuple(fc.nat(6000), fc.nat(6000)).map(([from, to]) => `bytes=${from}-${to}`),
  mutatedText(['-', ',', ' ', '9'.repeat(30)], 'bytes=0-499', 'bytes=-5', 'bytes=7-'),
);

/** Properties of the messages between server and browser, and of untrusted input to either. */
export const CONTRACT_PROPERTIES = [
  property(
    'contract: every response is parsed or rejected, and parses the same again',
    fc.oneof(mutated(...MESSAGES), json),
    (raw) => {
      for (const read of READERS) assertParsesAgain(read, raw);
    },
  ),
  property(
    'launch data are parsed or rejected as malformed',
    fc.oneof(text, mutatedText(['&', '=', '%', '%ff', '{', 'user=', 'hash='], SIGNED)),
    (raw) => assert.match(parseLaunchData(raw).type, /^(unverified|malformed)$/),
  ),
  property(
    'launch data are accepted only as they were signed',
    mutatedText(['&', '=', '%', '+', 'user=', '&x=y', '%0a'], SIGNED),
    (raw) => {
      if (checkLaunchData(raw, TOKEN, NOW).type === 'genuine') assert.deepEqual(new Map(new URLSearchParams(raw)), GENUINE);
    },
  ),
  property(
    'cursors are the same after encoding and decoding',
    fc.tuple(fc.integer(), text, fc.maxSafeInteger()),
    ([date, channelId, id]) => {
      const cursor = { date, channelId: Buffer.from(channelId).toString(), id };
      assert.deepEqual(decodeCursor(encodeCursor(cursor), 'before'), { ...cursor, date: date + 0, id: id + 0 });
    },
  ),
  property(
    'any text is parsed as a cursor or rejected',
    fc.oneof(
      text,
      json.map((value) => Buffer.from(JSON.stringify(value)).toString('base64url')),
    ),
    (cursor) => {
      orNullIfRejected(() => decodeCursor(cursor, 'before'), HttpError);
    },
  ),
  property(
    'event ids are the same after encoding and decoding, and no other text is one',
    fc.tuple(fc.nat(), text),
    ([number, other]) => {
      assert.equal(ids.decode(ids.encode(number)), number);
      assert.equal(ids.decode(other), null);
    },
  ),
  property('a signed URL grants access to one file only', fc.tuple(text, text), ([key, other]) => {
    assert.ok(grants.verify(key, grants.sign(key, NOW), NOW));
    assert.equal(grants.verify(key, other, NOW), false);
    assert.equal(grants.verify(`${key}x`, grants.sign(key, NOW), NOW), false);
  }),
  property('ranges are within the file', fc.tuple(range, sizes), ([header, size]) => {
    const read = parseRange(header, undefined, '"e"', size);
    if (read.type === 'part') assert.ok(0 <= read.start && read.start <= read.end && read.end < size, JSON.stringify(read));
  }),
  property('names of downloads fit into one header, and are parsed back', text, (name) => {
    const header = contentDisposition(name);
    validateHeaderValue('content-disposition', header);
    assert.match(header, /^attachment; filename="[^"\\%;]*"; filename\*=UTF-8''[\w.!~%-]*$/);
    assert.doesNotMatch(decodeURIComponent(header.split("UTF-8''")[1] ?? ''), /[/\\\p{Cc}]/u);
  }),
  property('bytes of any type are shown inline only as pictures, audio or video', bytes, (content) => {
    const { mime, kind } = detectFileType(content);
    if (isShownInline(mime)) assert.notEqual(kind, 'document');
  }),
  property(
    'paths of pages are distinguished from other addresses',
    fc.oneof(text, mutatedText(['%', '/', '?post=', '%2f'], '/channel/town?post=5')),
    (url) => {
      const read = parsePageAddress(url);
      if (read?.type === 'channel' && read.post !== null) assert.ok(read.post > 0);
    },
  ),
  property(
    'text runs are within their text, and their HTML contains nothing else',
    fc.tuple(text, mutated(POST.entities)),
    ([body, raw]) => {
      const entities =
        orNullIfRejected(() => (Array.isArray(raw) ? raw : []).map((one) => parse.entity(one, 'it')), ParseError) ?? [];
      for (const { start, end } of toTextRuns(body, entities)) assert.ok(0 <= start && start < end && end <= body.length);
      assert.equal(typeof plainText({ text: body, entities }), 'string');
      for (const write of [textHtml, lineHtml]) checkHarmless(write({ text: body, entities }, 'https://x.example/'));
    },
  ),
  property('line-ups: a merge is valid, idempotent, and loses no channel', fc.tuple(lineup, lineup), ([stored, sent]) => {
    const merged = mergeLineups(stored, sent);
    assert.ok(Value.Check(LineupContents, merged));
    assert.deepEqual(mergeLineups(merged, merged), merged);
    assert.deepEqual(
      mergeLineups(merged, sent)
        .entries.map(({ channelId }) => channelId)
        .sort(),
      idsIn(stored, sent),
    );
  }),
  property(
    'line-up links are the same after encoding and decoding, and other links are rejected',
    fc.tuple(fc.array(fc.nat({ max: 10 ** 9 })), text, text),
    ([numbers, name, other]) => {
      const channelIds = [...new Set(numbers)].filter((id) => id > 0).map(String);
      const code = encodeLineupLink({ name, channelIds });
      const read = decodeLineupLink(code);
      if (read.type === 'read') assert.deepEqual(read.shared.channelIds, channelIds);
      else assert.ok(channelIds.length === 0 || code.length > 8000, code);
      assert.ok(['read', 'rejected'].includes(decodeLineupLink(other).type));
    },
  ),
  property('themes contain only colours', fc.oneof(json, mutated({ bg_color: '#1c1c1d', text_color: 'rgb(1, 2, 3)' })), (raw) => {
    for (const [name, color] of Object.entries(parseThemeColors(raw))) assert.match(`${name} ${color}`, /^[a-z_]+ #[\da-f]{6}$/);
  }),
  property(
    'attributes of tags are parsed or rejected, and give one address',
    fc.tuple(text, fc.constantFrom('id', 'count', 'boolean', 'text')),
    ([raw, kind]) => {
      assert.match(readAttribute(kind, raw).type, /^(value|refused)$/);
      assert.equal(typeof parseGrant(raw).access, 'string');
      const url = prerenderPath('changer-feed', () => Buffer.from(raw).toString());
      assert.equal(new URL(url, 'https://x.example').pathname, '/elements/drawn/changer-feed');
    },
  ),
  property(
    'settings are parsed or rejected',
    fc.dictionary(
      fc.constantFrom(
        ...'PORT HOST PUBLIC_URL BOT_TOKEN DATA_DIR EMBED_ORIGINS OPERATOR_IDS DATABASE_URL BRAND_NAME BRAND_COLOR MEDIA_QUOTA_MB BOT_API_ROOT TRUST_PROXY READER_FEEDS'.split(
          ' ',
        ),
      ),
      text,
    ),
    (environment) => {
      orNullIfRejected(() => readConfig(environment), ConfigError);
    },
  ),
];

const idsIn = (...lineups: readonly { readonly entries: readonly { readonly channelId: string }[] }[]): string[] =>
  [...new Set(lineups.flatMap(({ entries: list }) => list.map(({ channelId }) => channelId)))].sort();
