// Bot messages: builds messages as a bot receives them, and parses them, for tests.
import assert from 'node:assert/strict';
import { Value } from 'typebox/value';
import { parseExtra } from '../../../../contract/extra.ts';
import * as parse from '../../../../contract/parse.ts';
import { Post } from '../../../../contract/post.ts';
import type { Message } from '../../../../server/domain/model.ts';
import { type ParseOptions, parseChannelPost } from '../../../../server/sources/telegram/parse/message.ts';

export const CHAT = { id: -1_001_500_000_001, type: 'channel', title: 'Town', username: 'town_square' };

/** Returns a message of the channel 1500000001. */
export const message = (more: object): object => ({
  message_id: 5,
  sender_chat: CHAT,
  chat: CHAT,
  date: 1_767_225_600,
  ...more,
});

/** Checks that a post conforms to the contract, for the server and for browsers, and that its entities lie inside its text. */
export const checkPost = ({ post, media, files = [] }: Message): void => {
  const shown = { ...post, media: media.map(({ unique: _unique, ...one }) => one) };
  assert.ok(Value.Check(Post, shown), JSON.stringify([...Value.Errors(Post, shown)].slice(0, 3)));
  parse.post(shown, 'post');
  const extra = post.extra === undefined ? undefined : parseExtra(post.extra, 'extra');
  assert.deepEqual(extra, post.extra);
  for (const { offset, length } of post.entities) assert.ok(offset + length <= post.text.length);
  for (const { index, part } of files) {
    assert.ok(media[index]);
    if (part === 'file') assert.equal(media[index]?.missing, 'pending');
  }
};

/** Parses a message that must be a post, and checks it. */
export const parseMessage = (raw: unknown, options?: ParseOptions): Message => {
  const parsed = parseChannelPost(raw, options);
  assert.ok(parsed.type === 'post', JSON.stringify(parsed).slice(0, 500));
  checkPost(parsed.message);
  return parsed.message;
};

/** Parses a message with these fields and returns its post. */
export const postOf = (more: object): Message['post'] => parseMessage(message(more)).post;
