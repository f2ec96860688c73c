// Parsers of bot updates against hostile input: deep nesting and invalid values.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChat } from '../../../../../server/sources/telegram/parse/chat.ts';
import { parseChatShared, parseMember, parseMembershipChange } from '../../../../../server/sources/telegram/parse/member.ts';
import { parseChannelPost } from '../../../../../server/sources/telegram/parse/message.ts';
import { parsePollUpdate, parseReactions } from '../../../../../server/sources/telegram/parse/reactions-and-polls.ts';
import { type BotApi, startBotApi } from '../../../../bot-api/bot-api.ts';
import { seeded } from '../../../../bot-api/mixing.ts';
import { measureRelativeCpuTime } from '../../../../support/machine-speed.ts';
import { CHAT, checkPost, message, parseMessage } from '../messages.ts';

/** Creates JSON that is nested to the given depth. It is written as text and then parsed, as it would arrive. */
const nested = (depth: number, open: string, inner: string, close: string): unknown =>
  JSON.parse(`${open.repeat(depth)}${inner}${close.repeat(depth)}`);

const JUNK: readonly unknown[] = [
  null,
  true,
  -1,
  0,
  1.5,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'x',
  '\u{d800}',
  '__proto__',
  [],
  {},
  [[]],
  [null, 5, 'x'],
  { type: 'constructor' },
  JSON.parse('{"__proto__": {"type": "channel", "polluted": true}}'),
  { file_id: 'F', file_unique_id: 'U', file_size: -1 },
  { text: { type: 'bold', text: [[['deep']]] } },
];

const readers = [
  parseChannelPost,
  parseReactions,
  parsePollUpdate,
  parseMembershipChange,
  parseMember,
  parseChatShared,
  parseChat,
];

/** Replaces a random part of a valid value by junk. */
const corrupt = (value: unknown, random: () => number): unknown => {
  if (typeof value !== 'object' || value === null || random() < 0.04) return JUNK[Math.floor(random() * JUNK.length)];
  if (Array.isArray(value)) return value.map((item: unknown) => (random() < 0.3 ? corrupt(item, random) : item));
  return Object.fromEntries(
    Object.entries(value).map(([name, fieldValue]) => [name, random() < 0.3 ? corrupt(fieldValue, random) : fieldValue]),
  );
};

const makeValidMessages = ({ make, channel, operator }: BotApi): unknown[] => {
  const townChannel = channel({ title: 'Town' });
  const entities = [
    { type: 'bold', offset: 0, length: 3 },
    { type: 'text_link', offset: 1, length: 2, url: 'https://a.example' },
  ];
  const forward_origin = { type: 'channel', date: 9, chat: CHAT, message_id: 3 };
  const contents = [
    { text: 'hello', entities, forward_origin, reply_to_message: message({}), quote: { text: 'q', position: 0 } },
    ...[make.photo('c'), make.video(), make.animation(), make.audio(), make.voice(), make.videoNote(), make.document()],
    ...[make.animatedSticker(), make.livePhoto(), make.paidMedia(), make.quiz(), make.venue(), make.contact(), make.dice()],
    ...[make.checklist(), make.giveaway(), make.story(), make.invoice(), make.game(), make.rich(), make.rich(), make.rich()],
    { giveaway_winners: { chat: CHAT, giveaway_message_id: 3, winner_count: 1, winners: [operator] } },
    { pinned_message: message({}) },
    { new_chat_title: 'New' },
  ];
  const member = { status: 'administrator', user: operator, can_post_messages: true };
  return [
    ...contents.map(message),
    { chat: CHAT, message_id: 3, date: 9, reactions: [{ type: { type: 'emoji', emoji: '👍' }, total_count: 2 }] },
    { chat: CHAT, from: operator, date: 9, old_chat_member: member, new_chat_member: member },
    { from: operator, chat_shared: { request_id: 1, chat_id: CHAT.id, title: 'Town' } },
    { ...townChannel.chat, active_usernames: ['town'], photo: { small_file_id: 'a', small_file_unique_id: 'b' } },
    member,
    make.quiz().poll,
  ];
};

describe('parsers of bot updates', () => {
  it('never throw, and return only data that the contract allows', async (t) => {
    const telegram = await startBotApi();
    t.after(() => telegram.close());
    const validMessages = makeValidMessages(telegram);
    const random = seeded(1);
    let posts = 0;
    for (let round = 0; round < 400; round++)
      for (const one of validMessages) {
        const raw = corrupt(one, random);
        for (const read of readers) read(raw);
        const parsed = parseChannelPost(raw);
        if (parsed.type !== 'post') continue;
        checkPost(parsed.message);
        posts++;
      }
    assert.ok(posts > 2000, `${posts} posts`);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  it('never throw, whatever value a field has', () => {
    for (const junk of JUNK) {
      for (const read of readers) read(junk);
      for (const field of Object.keys(
        message({ text: '', caption: '', rich_message: '', poll: '', photo: '', forward_origin: '', sticker: '' }),
      )) {
        const parsed = parseChannelPost({ ...message({ text: 'a' }), [field]: junk });
        if (parsed.type === 'post') checkPost(parsed.message);
      }
    }
  });

  for (const [label, deep] of [
    ['lists', nested(1_000_000, '[', '', ']')],
    ['blocks', nested(300_000, '{"type":"blockquote","blocks":[', '{"type":"paragraph","text":"deep"}', ']}')],
    ['text', nested(300_000, '{"type":"bold","text":', '"deep"', '}')],
    ['tables', nested(100_000, '{"type":"table","cells":[[{"text":', '"deep"', '}]]}')],
  ] as const)
    it(`accept any depth of ${label}`, () => {
      for (const content of [
        { rich_message: { blocks: [deep] } },
        { rich_message: { blocks: [{ type: 'paragraph', text: deep }] } },
        { text: 'a', entities: deep },
        { hologram: deep },
        { caption: deep, photo: deep, poll: { id: '1', options: deep, media: deep }, checklist: { tasks: deep } },
      ]) {
        const { raw } = parseMessage(message(content));
        assert.ok(raw !== undefined);
      }
      for (const read of readers) read(deep);
    });

  it('parse very large input without delay', () => {
    const longText = 'я'.repeat(5_000_000);
    const entities = Array.from({ length: 100_000 }, (_, at) => ({ type: 'bold', offset: at % 4000, length: 90 }));
    const blocks = Array.from({ length: 100_000 }, () => ({ type: 'paragraph', text: [{ type: 'bold', text: 'ab' }, ' c'] }));
    const photo = Array.from({ length: 100_000 }, () => ({ file_id: 'F', file_unique_id: 'U', width: 1, height: 1 }));
    for (const content of [{ text: longText }, { text: 'я'.repeat(4096), entities }, { rich_message: { blocks } }, { photo }]) {
      const megabytes = measureRelativeCpuTime(() => parseMessage(message(content)));
      assert.ok(megabytes < 300, `${Object.keys(content)}: as much work as ${megabytes} megabytes of JSON`);
    }
    const paragraphs = Array.from({ length: 100 }, () => ({ type: 'paragraph', text: longText.slice(0, 50_000) }));
    assert.ok(parseMessage(message({ rich_message: { blocks: paragraphs } })).post.text.length < 200_000);
    const { post, raw } = parseMessage(message({ text: longText, entities }));
    assert.ok(post.text.length < 200_000 && post.entities.length < 5000);
    assert.ok(raw !== undefined && raw.length < 300_000);
  });

  it('never split a character', () => {
    const { post } = parseMessage(message({ text: `a${'😀'.repeat(100_000)}` }));
    assert.equal(Buffer.from(post.text).toString(), post.text);
  });
});
