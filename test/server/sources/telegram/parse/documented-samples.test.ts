// Parser of bot messages against samples: updates that Telegram really sent. The samples are not part of the repository.
// Without them, these tests are skipped.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseMembershipChange } from '../../../../../server/sources/telegram/parse/member.ts';
import { parseChannelPost } from '../../../../../server/sources/telegram/parse/message.ts';
import { fieldRoleOf } from '../../../../../server/sources/telegram/parse/message-fields.ts';
import { parseReactions } from '../../../../../server/sources/telegram/parse/reactions-and-polls.ts';
import { CHAT, checkPost, message } from '../messages.ts';

const DATA = join(import.meta.dirname, '../../../../../../shared/data');
const skip = existsSync(DATA) ? false : 'no ../shared/data';

type Json = Record<string, unknown>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

const jsonOf = (name: string): unknown => JSON.parse(readFileSync(join(DATA, name), 'utf8'));

const listed = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJson) : []);

/** Returns every sample by its name: an update, a message, or a part of a message. A part is put into a message. */
const samplesOf = (): [string, Json][] => {
  const real = jsonOf('botapi-real-updates.json');
  const updates = listed(isJson(real) ? real.samples : []).map(({ update }, at) => [`real update ${at}`, update] as const);
  const others = listed(jsonOf('botapi-samples.json')).map(({ source, line, json }) => [`${source}:${line}`, json] as const);
  return [...updates, ...others].flatMap(([name, json]) => (isJson(json) ? [[name, json]] : []));
};

const PARTS: ReadonlyMap<string, string> = new Map([
  ['giveaway.rs', 'giveaway'],
  ['giveaway_completed.rs', 'giveaway_completed'],
  ['giveaway_winners.rs', 'giveaway_winners'],
  ['forum_topic_created.rs', 'forum_topic_created'],
]);

/** Returns the message of a sample, as if a channel had posted it. Messages of groups have the same fields. */
const messageIn = (name: string, json: Json): Json | null => {
  const part = PARTS.get(name.split('/').at(-1)?.split(':')[0] ?? '');
  if (part !== undefined) return { ...message({ [part]: json }) };
  const rawMessage = [json.channel_post, json.message, json].find(
    (value) => isJson(value) && 'message_id' in value && !('reactions' in value),
  );
  return isJson(rawMessage)
    ? { ...rawMessage, chat: isJson(rawMessage.chat) && rawMessage.chat.type === 'channel' ? rawMessage.chat : CHAT }
    : null;
};

/** Chats and messages that are only referenced. Their texts are not texts of the post. */
const NAMED = new Set(['chat', 'sender_chat', 'reply_to_message', 'giveaway_message']);

const TEXT_FIELDS = new Set(['text', 'caption', 'title', 'prize_description']);

const textsIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isJson(value)) return [];
  return Object.entries(value).flatMap(([name, fieldValue]) => {
    if (NAMED.has(name)) return [];
    return typeof fieldValue === 'string' && TEXT_FIELDS.has(name) ? [fieldValue] : textsIn(fieldValue);
  });
};

const filesIn = (value: unknown): string[] => {
  if (Array.isArray(value)) return value.slice(-1).flatMap(filesIn);
  if (!isJson(value)) return [];
  return [...(typeof value.file_id === 'string' ? [value.file_id] : []), ...Object.values(value).flatMap(filesIn)];
};

describe('the parsers on real updates', { skip }, () => {
  const samples = skip === false ? samplesOf() : [];
  const messages = samples.flatMap(([name, json]) => {
    const rawMessage = messageIn(name, json);
    return rawMessage === null ? [] : [{ name, rawMessage }];
  });

  it('have 37 samples, which contain 26 messages', () => assert.deepEqual([samples.length, messages.length], [37, 26]));

  for (const { name, rawMessage } of messages)
    it(`lose nothing of the message of ${name}`, () => {
      const parsed = parseChannelPost(rawMessage);
      assert.notEqual(parsed.type, 'bad');
      if (parsed.type === 'service-unshown') {
        assert.deepEqual(JSON.parse(parsed.raw), rawMessage);
        assert.equal(fieldRoleOf(parsed.name), 'quiet');
      }
      if (parsed.type !== 'post') return;
      checkPost(parsed.message);
      const { post, media, files = [] } = parsed.message;
      const shown = `${post.text} ${JSON.stringify(post.extra)}`;
      for (const text of textsIn(rawMessage)) assert.ok(shown.includes(text), text);
      assert.equal(post.entities.length, [rawMessage.entities, rawMessage.caption_entities].flat().filter(isJson).length);
      assert.deepEqual(
        files.map(({ fileId }) => fileId).toSorted(),
        filesIn({ ...rawMessage, reply_to_message: null }).toSorted(),
      );
      assert.ok(post.text !== '' || media.length > 0 || post.extra !== undefined || post.service !== undefined, name);
      for (const field of Object.keys(rawMessage)) if (fieldRoleOf(field) === null) assert.ok(parsed.message.raw, field);
    });

  for (const [name, json] of samples) {
    const count = [json.message_reaction_count, json].find((value) => isJson(value) && 'reactions' in value);
    if (count)
      it(`read the reactions of ${name}`, () => {
        const read = parseReactions(count);
        assert.ok(read.type === 'reactions' && isJson(count));
        assert.equal(read.reactions.length, listed(count.reactions).length);
      });
    if (json.my_chat_member)
      it(`read the membership of ${name}`, () => {
        const raw: unknown = json.my_chat_member;
        const channel = isJson(raw) && isJson(raw.chat) && raw.chat.type === 'channel';
        const read = parseMembershipChange(channel || !isJson(raw) ? raw : { ...raw, chat: CHAT });
        assert.ok(read.type === 'membership' && read.after.status !== 'unknown');
      });
  }
});
