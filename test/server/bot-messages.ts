// Messages as a bot is given them, made for tests, and what they are read as.
import assert from 'node:assert/strict';
import { Value } from 'typebox/value';
import { parseExtra } from '../../contract/extra.ts';
import * as parse from '../../contract/parse.ts';
import { Post } from '../../contract/post.ts';
import type { Message } from '../../server/domain/model.ts';
import { type ReadOptions, readChannelPost } from '../../server/sources/telegram/parse/message.ts';

export const CHAT = { id: -1_001_500_000_001, type: 'channel', title: 'Town', username: 'town_square' };

/** A message of the channel 1500000001. */
export const message = (more: object): object => ({
  message_id: 5,
  sender_chat: CHAT,
  chat: CHAT,
  date: 1_767_225_600,
  ...more,
});

/** Checks that a post is what the contract says, for the server and for browsers, with entities inside its text. */
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

/** Reads a message that must be a post, and checks it. */
export const readAs = (raw: unknown, options?: ReadOptions): Message => {
  const reading = readChannelPost(raw, options);
  assert.ok(reading.type === 'post', JSON.stringify(reading).slice(0, 500));
  checkPost(reading.message);
  return reading.message;
};

/** Reads the post of a message that holds these fields. */
export const postOf = (more: object): Message['post'] => readAs(message(more)).post;
