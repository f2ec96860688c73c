// Parsers of bot updates other than posts: channel ids, reactions, polls and memberships.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Api } from 'grammy';
import { channelIdOf, chatIdOf, parseChat } from '../../../../../server/sources/telegram/parse/chat.ts';
import { parseChatShared, parseMember, parseMembershipChange } from '../../../../../server/sources/telegram/parse/member.ts';
import { parsePollUpdate, parseReactions } from '../../../../../server/sources/telegram/parse/reactions-and-polls.ts';
import { startBotApi } from '../../../../bot-api/bot-api.ts';
import { CHAT } from '../messages.ts';

const ANN = { id: 42, is_bot: false, first_name: 'Ann', last_name: 'Lee', username: 'ann' };
const BOT = { id: 7, is_bot: true, first_name: 'Changer' };

describe('channelIdOf and chatIdOf', () => {
  for (const [chatId, channelId] of [
    [-1_001_500_000_001, '1500000001'],
    [-1_012_345_678_901, '12345678901'],
    [-1_000_000_000_000, null],
    [-100, null],
    [42, null],
    [Number.NaN, null],
    ['-1001500000001', null],
  ] as const)
    it(`convert ${chatId} to ${channelId}`, () => {
      assert.equal(channelIdOf(chatId), channelId);
      if (channelId !== null) assert.equal(chatIdOf(channelId), chatId);
    });
  it('return NaN as the chat id of a channel that is not from Telegram', () => assert.ok(Number.isNaN(chatIdOf('f-1234'))));
});

describe('parseReactions', () => {
  const reactionUpdate = (reactions: unknown) => ({ chat: CHAT, message_id: 3, date: 9, reactions });

  it('reads all kinds, also an unknown one', () => {
    const read = parseReactions(
      reactionUpdate([
        { type: { type: 'emoji', emoji: '🔥' }, total_count: 3 },
        { type: { type: 'custom_emoji', custom_emoji_id: '536' }, total_count: 2 },
        { type: { type: 'paid' }, total_count: 5 },
        { type: { type: 'scent' }, total_count: 1 },
        { type: { type: 'emoji', emoji: '👎' }, total_count: 0 },
        null,
      ]),
    );
    assert.deepEqual(read, {
      type: 'reactions',
      channelId: '1500000001',
      messageId: 3,
      at: 9,
      reactions: [
        { emoji: '🔥', count: 3 },
        { emoji: '✨', emojiId: '536', count: 2 },
        { emoji: '⭐', paid: true, count: 5 },
        { emoji: '✨', count: 1 },
      ],
    });
  });

  it('reads an empty list as no reactions, and rejects data without a message', () => {
    const read = parseReactions(reactionUpdate([]));
    assert.ok(read.type === 'reactions' && read.reactions.length === 0);
    for (const invalid of [
      null,
      {},
      { ...reactionUpdate([]), chat: ANN },
      { ...reactionUpdate([]), message_id: 0 },
      { ...reactionUpdate([]), date: 'x' },
    ])
      assert.equal(parseReactions(invalid).type, 'bad');
  });
});

describe('parsePollUpdate', () => {
  it('reads the result of a closed poll', () => {
    const poll = { id: '77', question: 'Q', options: [{ text: 'a', voter_count: 2 }], total_voter_count: 2, is_closed: true };
    assert.deepEqual(parsePollUpdate(poll), {
      type: 'poll',
      pollId: '77',
      poll: { question: 'Q', closed: true, total: 2, options: [{ text: 'a', votes: 2 }] },
    });
    assert.equal(parsePollUpdate({ question: 'Q' }).type, 'bad');
  });
});

describe('parseMembershipChange and parseMember', () => {
  const statusChange = (now: unknown, before: unknown = { status: 'left', user: BOT }) => ({
    chat: CHAT,
    from: ANN,
    date: 9,
    old_chat_member: before,
    new_chat_member: now,
  });
  const administrator = { status: 'administrator', user: BOT, can_post_messages: true, can_edit_messages: false, can_fly: true };

  it('read who changed the membership of which user, and the rights', () => {
    const read = parseMembershipChange(statusChange(administrator));
    assert.ok(read.type === 'membership');
    assert.deepEqual([read.chat.channelId, read.at, read.before?.status], ['1500000001', 9, 'left']);
    assert.deepEqual(read.actor, { id: '42', name: 'Ann Lee', isBot: false, username: 'ann' });
    assert.deepEqual([read.after.user.id, read.after.isMember, read.after.isAdministrator], ['7', true, true]);
    assert.deepEqual([...read.after.rights], ['can_post_messages']);
  });

  for (const [member, isMember, isAdministrator, rights] of [
    [{ status: 'creator' }, true, true, true],
    [{ status: 'member' }, true, false, false],
    [{ status: 'restricted', is_member: true }, true, false, false],
    [{ status: 'restricted', is_member: false, can_post_messages: true }, false, false, false],
    [{ status: 'left' }, false, false, false],
    [{ status: 'kicked' }, false, false, false],
    [{ status: 'constructor' }, false, false, false],
    [{}, false, false, false],
  ] as const)
    it(`read ${JSON.stringify(member)} as ${isMember ? 'a member' : 'no member'}`, () => {
      const read = parseMember({ ...member, user: ANN });
      assert.deepEqual(
        [read?.isMember, read?.isAdministrator, read?.rights.has('can_post_messages')],
        [isMember, isAdministrator, rights],
      );
    });

  it('reject data without a user or a channel', () => {
    for (const invalid of [
      null,
      {},
      { ...statusChange(administrator), chat: ANN },
      statusChange(null),
      { ...statusChange(administrator), from: {} },
    ])
      assert.equal(parseMembershipChange(invalid).type, 'bad');
    assert.equal(parseMember({ status: 'creator' }), null);
  });
});

describe('parseChatShared', () => {
  it('reads which channel was picked, by whom, for which request', () => {
    const chat_shared = { request_id: 1, chat_id: CHAT.id, title: 'Town' };
    assert.deepEqual(parseChatShared({ message_id: 1, from: ANN, chat_shared }), {
      type: 'chat-shared',
      requestId: 1,
      channelId: '1500000001',
      title: 'Town',
      from: { id: '42', name: 'Ann Lee', isBot: false, username: 'ann' },
    });
    assert.equal(parseChatShared({ message_id: 1, from: ANN, text: '/start' }), null);
    assert.deepEqual(parseChatShared({ from: ANN, chat_shared: { request_id: 1, chat_id: 42 } }), {
      type: 'bad',
      reason: 'the shared chat is not a channel',
    });
  });
});

describe('parseChat', () => {
  it('reads the response of getChat', async (t) => {
    const telegram = await startBotApi();
    t.after(() => telegram.close());
    const channel = telegram.channel({ title: 'Town', username: 'town_square', description: 'All of it' });
    channel.addBot(telegram.operator);
    const api = new Api(telegram.token, { apiRoot: telegram.root });
    const { message_id } = channel.post(telegram.make.text('pinned'));
    channel.pin(message_id);
    channel.setPhoto(telegram.samples.poster);
    const parsed = parseChat(await api.getChat(channel.id));
    assert.ok(parsed.type === 'channel');
    const { photo, ...details } = parsed;
    assert.ok(photo?.big.fileId !== photo?.small.fileId && photo?.big.uniqueId);
    assert.deepEqual(details, {
      type: 'channel',
      channelId: channel.bareId,
      title: 'Town',
      username: 'town_square',
      usernames: ['town_square'],
      about: 'All of it',
      pinned: message_id,
      private: false,
    });
    channel.setUsername(undefined);
    const hidden = parseChat(await api.getChat(channel.id));
    assert.ok(hidden.type === 'channel' && hidden.private && hidden.username === undefined);
  });

  it('uses an active username if there is no other, and rejects a chat that is not a channel', () => {
    const read = parseChat({ ...CHAT, username: undefined, active_usernames: [5, 'town', 'old_town'] });
    assert.ok(read.type === 'channel');
    assert.deepEqual([read.username, read.usernames, read.private], ['town', ['town', 'old_town'], false]);
    for (const invalid of [null, 'x', {}, { ...CHAT, type: 'private' }, { ...CHAT, id: 0 }])
      assert.equal(parseChat(invalid).type, 'bad');
  });
});
