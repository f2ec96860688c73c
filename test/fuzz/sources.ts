// Fuzz properties of sources: parsers of bot updates and of exports.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { parseExtra } from '../../contract/extra.ts';
import * as parse from '../../contract/parse.ts';
import { Post } from '../../contract/post.ts';
import { parseChat } from '../../server/sources/telegram/parse/chat.ts';
import { parseChatShared, parseMember, parseMembershipChange } from '../../server/sources/telegram/parse/member.ts';
import { parseChannelPost } from '../../server/sources/telegram/parse/message.ts';
import { parsePollUpdate, parseReactions } from '../../server/sources/telegram/parse/reactions-and-polls.ts';
import { JsonStreamError, JsonStreamParser } from '../../server/sources/telegram-export/json-stream.ts';
import { parseExportedMessage } from '../../server/sources/telegram-export/parse-message.ts';
import { CHAT, checkPost, message } from '../server/sources/telegram/messages.ts';
import { exportedMessage } from '../server/sources/telegram-export/export-files.ts';
import { orNullIfRejected, property } from './property.ts';
import { checkPublished } from './published.ts';
import { json, mutated, TEXTS } from './values.ts';

const textWithEntity = (text: string, type: string, extra: object = {}) => ({
  text,
  entities: [{ type, offset: 0, length: text.length, ...extra }],
});
const photo = [{ file_id: 'a', file_unique_id: 'b', width: 90, height: 60, file_size: 1000 }];
const video = {
  file_id: 'v',
  file_unique_id: 'w',
  width: 90,
  height: 60,
  duration: 3,
  file_name: 'a.mp4',
  mime_type: 'video/mp4',
};
const user = { id: 7, is_bot: false, first_name: 'Ann', username: 'ann' };

const rich = {
  blocks: [
    { type: 'paragraph', text: ['a', { type: 'bold', text: { type: 'text_link', text: 'b', url: 'https://x.example' } }] },
    { type: 'heading', size: 2, text: 'h' },
    { type: 'list', items: [{ label: '1.', has_checkbox: true, blocks: [{ type: 'paragraph', text: 'c' }] }] },
    { type: 'table', cells: [[{ text: 'd', is_header: true, colspan: 2, align: 'left' }], [{ text: 'e' }]], caption: 'f' },
    { type: 'details', summary: 's', blocks: [{ type: 'pre', language: 'ts', text: 'code' }] },
    { type: 'photo', photo, caption: { text: 'p', credit: 'q' } },
    { type: 'map', location: { latitude: 1, longitude: 2 } },
    { type: 'buttons', buttons: [{ text: 'go', url: 'https://x.example' }] },
  ],
};

const MESSAGES = [
  message(textWithEntity('hello', 'bold')),
  message(textWithEntity('link', 'text_link', { url: 'https://x.example/' })),
  message(textWithEntity('code', 'pre', { language: 'ts' })),
  message(textWithEntity('😀', 'custom_emoji', { custom_emoji_id: '5' })),
  message(textWithEntity('Ann', 'text_mention', { user })),
  message({ photo, caption: 'c', caption_entities: [{ type: 'spoiler', offset: 0, length: 1 }], media_group_id: '9' }),
  message({ video: { ...video, thumbnail: photo[0], cover: photo }, animation: video, has_media_spoiler: true }),
  message({ audio: { ...video, title: 't', performer: 'p' }, document: { ...video, mime_type: 'image/svg+xml' }, voice: video }),
  message({ sticker: { ...video, type: 'regular', emoji: '😀', is_animated: false, is_video: true } }),
  message({
    poll: {
      id: '1',
      question: 'q',
      options: [{ text: 'a', voter_count: 1 }],
      total_voter_count: 1,
      is_closed: false,
      type: 'quiz',
    },
  }),
  message({
    venue: { location: { latitude: 1, longitude: 2 }, title: 't', address: 'a' },
    contact: { phone_number: '1', first_name: 'A' },
  }),
  message({
    giveaway: { chats: [CHAT], winners_selection_date: 1_767_225_600, winner_count: 2 },
    dice: { emoji: '🎲', value: 3 },
  }),
  message({ checklist: { title: 't', tasks: [{ id: 1, text: 'a', completion_date: 1 }] } }),
  message({
    paid_media: {
      star_count: 5,
      paid_media: [
        { type: 'photo', photo },
        { type: 'video', video },
      ],
    },
  }),
  message({ rich_message: rich }),
  message({ new_chat_title: 'T', pinned_message: message({ text: 'x' }) }),
  message({
    ...{
      text: 'x',
      edit_date: 1_767_225_700,
      author_signature: 'Ann',
      forward_origin: { type: 'channel', chat: CHAT, message_id: 3, date: 5 },
    },
    ...{ reply_to_message: message({ text: 'y' }), quote: { text: 'y', position: 0 } },
  }),
];

const member = { chat: CHAT, from: user, date: 1_767_225_600, old_chat_member: { user, status: 'left' } };
const OTHERS = [
  { ...member, new_chat_member: { user, status: 'administrator', can_manage_chat: true } },
  {
    ...CHAT,
    photo: { small_file_id: 'a', small_file_unique_id: 'b', big_file_id: 'c', big_file_unique_id: 'd' },
    active_usernames: ['t'],
  },
  {
    chat: CHAT,
    message_id: 5,
    date: 1_767_225_600,
    reactions: [{ type: { type: 'custom_emoji', custom_emoji_id: '5' }, total_count: 3 }],
  },
  { id: '1', question: 'q', options: [{ text: 'a', voter_count: 1 }], total_voter_count: 1, is_closed: true, type: 'regular' },
  { chat: user, from: user, chat_shared: { request_id: 1, chat_id: CHAT.id, title: 't' } },
];

const EXPORTED = [
  exportedMessage(5),
  exportedMessage(6, { text: ['a', { type: 'text_link', text: 'b', href: 'https://x.example' }], text_entities: [] }),
  exportedMessage(7, {
    text_entities: [
      { type: 'custom_emoji', text: '😀', document_id: '5' },
      { type: 'pre', text: 'x', language: 'ts' },
    ],
  }),
  exportedMessage(8, { photo: 'photos/a.jpg', width: 90, height: 60, photo_file_size: 1000, edited_unixtime: '1767226600' }),
  exportedMessage(9, {
    file: 'video_files/a.mp4',
    media_type: 'video_file',
    thumbnail: 'a.jpg',
    duration_seconds: 3,
    mime_type: 'video/mp4',
    file_name: 'a',
  }),
  exportedMessage(10, {
    poll: { question: 'q', closed: false, total_voters: 3, answers: [{ text: 'a', voters: 3, chosen: false }] },
  }),
  exportedMessage(11, {
    location_information: { latitude: 1, longitude: 2 },
    place_name: 'p',
    contact_information: { first_name: 'A', phone_number: '1' },
  }),
  exportedMessage(12, {
    reactions: [
      { type: 'custom_emoji', count: 2, document_id: '5' },
      { type: 'paid', count: 1 },
    ],
  }),
  exportedMessage(13, {
    forwarded_from: 'B',
    forwarded_from_id: 'channel88',
    reply_to_message_id: 5,
    reply_to_peer_id: 'channel88',
    author: 'Ann',
  }),
  exportedMessage(14, { type: 'service', action: 'edit_group_title', title: 'T' }),
];

const readBot = (raw: unknown): void => {
  const reading = parseChannelPost(raw);
  if (reading.type !== 'post') return;
  checkPost(reading.message);
  checkPublished({ ...reading.message.post, media: reading.message.media.map(({ unique: _unique, ...one }) => one) });
};

const readExported = (raw: unknown): void => {
  const reading = parseExportedMessage(raw, '77', 3);
  if ((reading.type !== 'post' && reading.type !== 'service') || reading.draft === null) return;
  const post = { ...reading.draft.post, media: reading.draft.file === null ? [] : [reading.draft.file.media] };
  assert.ok(Value.Check(Post, post), JSON.stringify([...Value.Errors(Post, post)].slice(0, 3)));
  parse.post(post, 'post');
  if (post.extra !== undefined) parseExtra(post.extra, 'extra');
  checkPublished(post);
};

/** Parses a text in chunks and descends into containers down to a depth. Returns the values as JSON.parse would. */
const parseInChunks = (text: string, size: number, depth: number): unknown[] => {
  const reader = new JsonStreamParser((path) => path.length >= depth);
  const bytes = Buffer.from(text);
  const parts = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
  return [...parts.flatMap((part) => reader.read(part)), ...reader.end()].map(({ value }) => value);
};

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const jsonText = fc.oneof(
  json.map((value) => JSON.stringify(value)),
  fc.tuple(json, fc.nat(), fc.constantFrom('', ',', ':', '"', '\\', '[', '}', '\u0000', ' ', '1')).map(([value, at, put]) => {
    const text = JSON.stringify(value);
    return text.slice(0, at % (text.length + 1)) + put + text.slice((at % (text.length + 1)) + 1);
  }),
);

/** Properties of the parsers of bot updates and of exports. */
export const SOURCE_PROPERTIES = [
  property('Bot API: a channel post is parsed, valid, and can be published', mutated(...MESSAGES), readBot, [
    message(textWithEntity('😀', 'custom_emoji', { custom_emoji_id: { toString: 1, valueOf: 1 } })),
    message({ forward_origin: { type: 'user', sender_user: { id: { toString: 1, valueOf: 1 } } }, text: 'x' }),
    message({ venue: { location: { latitude: 1, longitude: 2 }, title: 'a\r\nb', address: 'a' } }),
  ]),
  property('Bot API: any JSON is parsed as a post or as none', json, readBot),
  property('Bot API: any other content of an update', mutated(...OTHERS, ...MESSAGES), (raw) => {
    for (const read of [parseChat, parseMember, parseMembershipChange, parseChatShared, parsePollUpdate, parseReactions])
      read(raw);
  }),
  property('export: a message is parsed, valid, and can be published', mutated(...EXPORTED), readExported, [
    exportedMessage(1, { reactions: [{ type: 'custom_emoji', count: 1, document_id: { toString: 1, valueOf: 1 } }] }),
    exportedMessage(1, { text_entities: [{ type: 'mention_name', text: 'x', user_id: { toString: 1, valueOf: 1 } }] }),
  ]),
  property('export: any JSON is parsed as a message or as none', json, readExported),
  property(
    'export: JSON in chunks gives the result of JSON.parse',
    fc.tuple(json, fc.integer({ min: 1, max: 50 })),
    ([value, size]) => assert.deepEqual(parseInChunks(JSON.stringify(value), size, 0), [JSON.parse(JSON.stringify(value))]),
  ),
  property(
    'export: JSON in chunks is rejected if JSON.parse rejects it',
    fc.tuple(jsonText, fc.integer({ min: 1, max: 50 }), fc.nat(4)),
    ([text, size, depth]) => {
      const read = orNullIfRejected(() => parseInChunks(text, size, depth), JsonStreamError);
      assert.equal(read !== null, isJson(Buffer.from(text).toString()));
    },
    TEXTS.map((text): [string, number, number] => [JSON.stringify({ text }), 3, 2]),
  ),
];
