// Parser of channel posts of the Bot API.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseChannelPost } from '../../../../../server/sources/telegram/parse/message.ts';
import { startBotApi } from '../../../../bot-api/bot-api.ts';
import { CHAT, message, parseMessage, postOf } from '../messages.ts';

const file = (id: string, more: object = {}) => ({ file_id: `F${id}`, file_unique_id: id, ...more });
const size = (id: string, width: number, height: number, file_size?: number) => file(id, { width, height, file_size });

const filesOf = (more: object, maxBytes?: number) =>
  parseMessage(message(more), maxBytes === undefined ? {} : { maxBytes }).files?.map(({ index, part, uniqueId }) => [
    index,
    part,
    uniqueId,
  ]);

const mediaOf = (more: object, maxBytes?: number) =>
  parseMessage(message(more), maxBytes === undefined ? {} : { maxBytes }).media[0];

describe('parseChannelPost', () => {
  it('reads every kind of message that the double can post, and keeps raw data only of an unknown kind', async (t) => {
    const telegram = await startBotApi();
    t.after(() => telegram.close());
    const channel = telegram.channel({ title: 'Town' });
    const { make } = telegram;
    const posts = {
      text: make.text('hello'),
      photo: make.photo('c'),
      video: make.video('c'),
      hugeVideo: make.hugeVideo(),
      animation: make.animation(),
      audio: make.audio(),
      document: make.document(),
      voice: make.voice(),
      videoNote: make.videoNote(),
      sticker: make.sticker(),
      animatedSticker: make.animatedSticker(),
      videoSticker: make.videoSticker(),
      livePhoto: make.livePhoto(),
      paidMedia: make.paidMedia(),
      poll: make.poll('q', ['a', 'b']),
      location: make.location(),
      venue: make.venue(),
      contact: make.contact(),
      dice: make.dice(),
      checklist: make.checklist(),
      giveaway: make.giveaway(),
      story: make.story(),
      invoice: make.invoice(),
      game: make.game(),
      rich: make.rich(),
    };
    for (const [kind, content] of Object.entries(posts)) {
      const { post, media, raw } = parseMessage(channel.post(content), { updateId: 7 });
      const contents = [post.text, media[0], post.poll, post.place, post.contact, post.extra];
      assert.ok(contents.some(Boolean), kind);
      assert.equal(raw, undefined, kind);
    }
    const unknownKind = parseMessage(channel.post(make.unheardOf()), { updateId: 7 });
    assert.deepEqual(unknownKind.post.extra, { type: 'unknown', name: 'hologram' });
    assert.match(unknownKind.raw ?? '', /seen from every side/);
  });

  it('reads the channel, the time, the version and the album', () => {
    const read = parseMessage(message({ text: 'a', edit_date: 1_767_225_700, author_signature: 'Ann', media_group_id: '1300' }), {
      updateId: 9,
    });
    assert.deepEqual(read, {
      post: {
        channelId: '1500000001',
        id: 5,
        date: 1_767_225_600,
        reactions: [],
        text: 'a',
        entities: [],
        edited: 1_767_225_700,
        author: 'Ann',
      },
      media: [],
      files: [],
      source: 'bot',
      modifiedAt: 1_767_225_700,
      albumId: '1300',
      sequence: 9,
    });
    const long = { ...CHAT, id: -1_012_345_678_901 };
    assert.equal(parseMessage({ ...message({ text: 'a' }), chat: long }).post.channelId, '12345678901');
  });

  it('reads texts and captions with nested entities, and drops only invalid entities', () => {
    const entities = [
      { type: 'italic', offset: 3, length: 4 },
      { type: 'text_link', offset: 0, length: 2, url: 'https://a.example/' },
      { type: 'bold', offset: 0, length: 9 },
    ];
    const { post, raw } = parseMessage(message({ text: '😀 wind up', entities }));
    assert.deepEqual(
      post.entities.map(({ type, offset, length }) => [type, offset, length]),
      [
        ['bold', 0, 9],
        ['text_link', 0, 2],
        ['italic', 3, 4],
      ],
    );
    assert.equal(raw, undefined);
    const invalidEntities = [
      { type: 'bold', offset: 8, length: 9 },
      { type: 'bold', offset: 1, length: 2 },
      { type: 'bold', offset: -1, length: 2 },
      { type: 'bold', offset: 0.5, length: 2 },
      { type: 'bold', offset: 0, length: 0 },
      { type: 'wobbly', offset: 0, length: 2 },
      { type: 'text_link', offset: 0, length: 2, url: 'javascript:alert(1)' },
      { type: '__proto__', offset: 0, length: 2 },
      null,
    ];
    const partlyInvalid = parseMessage(
      message({ caption: '😀 wind up', caption_entities: [...invalidEntities, { type: 'code', offset: 3, length: 4 }] }),
    );
    assert.deepEqual(
      [partlyInvalid.post.text, partlyInvalid.post.entities],
      ['😀 wind up', [{ type: 'code', offset: 3, length: 4 }]],
    );
    assert.ok(partlyInvalid.raw);
  });

  for (const [input, expected] of [
    [
      { type: 'text_link', url: 't.me/town' },
      { type: 'text_link', url: 'https://t.me/town' },
    ],
    [
      { type: 'pre', language: 'ts' },
      { type: 'pre', language: 'ts' },
    ],
    [
      { type: 'text_mention', user: { id: 42, first_name: 'Ann' } },
      { type: 'text_mention', userId: '42' },
    ],
    [
      { type: 'custom_emoji', custom_emoji_id: '5368' },
      { type: 'custom_emoji', emojiId: '5368' },
    ],
    [
      { type: 'date_time', unix_time: 1_700_000_000, date_time_format: 'r' },
      { type: 'date_time', time: 1_700_000_000 },
    ],
    [{ type: 'expandable_blockquote' }, { type: 'expandable_blockquote' }],
  ] as const)
    it(`reads the entity ${input.type}`, () => {
      const { entities } = postOf({ text: 'abc', entities: [{ ...input, offset: 0, length: 3 }] });
      assert.deepEqual(entities, [{ ...expected, offset: 0, length: 3 }]);
    });

  it('downloads only the largest size of a photo that is within the limit', () => {
    const photo = [size('s', 90, 60, 1000), size('l', 1280, 853, 90_000), size('m', 320, 213, 9000)];
    assert.deepEqual(filesOf({ photo, has_media_spoiler: true }), [[0, 'file', 'l']]);
    assert.deepEqual(mediaOf({ photo, has_media_spoiler: true }), {
      messageId: 5,
      type: 'photo',
      width: 1280,
      height: 853,
      missing: 'pending',
      size: 90_000,
      unique: 'l',
      spoiler: true,
    });
    assert.deepEqual(filesOf({ photo }, 50_000), [[0, 'file', 'm']]);
    assert.deepEqual(filesOf({ photo }, 500), []);
    assert.equal(mediaOf({ photo }, 500)?.missing, 'too-large');
  });

  it('downloads a video with its cover, and a smaller copy or only the cover if the video is too large', () => {
    const video = {
      ...size('v', 1920, 1080, 30_000_000),
      duration: 61,
      thumbnail: size('t', 320, 180),
      cover: [size('c', 640, 360)],
    };
    assert.deepEqual(filesOf({ video: { ...video, file_size: 5 } }), [
      [0, 'file', 'v'],
      [0, 'poster', 'c'],
    ]);
    assert.deepEqual(filesOf({ video: { ...video, cover: undefined } }), [[0, 'poster', 't']]);
    assert.deepEqual([mediaOf({ video })?.missing, mediaOf({ video })?.size], ['too-large', 30_000_000]);
    const qualities = [
      { ...size('q1', 640, 360, 4_000_000), codec: 'h264' },
      { ...size('q2', 1280, 720, 9_000_000), codec: 'h264' },
      { ...size('q3', 1920, 1080, 6_000_000), codec: 'av01' },
    ];
    assert.deepEqual(filesOf({ video: { ...video, qualities } }), [
      [0, 'file', 'q2'],
      [0, 'poster', 'c'],
    ]);
    assert.equal(mediaOf({ video: { ...video, qualities } })?.missing, 'pending');
  });

  it('reads an animation once, although Telegram also sends it as a document', () => {
    const animation = { ...size('a', 320, 180), duration: 3, mime_type: 'video/mp4' };
    assert.deepEqual(
      parseMessage(message({ animation, document: file('a') })).media.map(({ type }) => type),
      ['animation'],
    );
  });

  it('reads a live photo as a photo with a clip', () => {
    const live_photo = { ...size('clip', 640, 480), duration: 2, photo: [size('s', 90, 60), size('still', 1280, 960)] };
    assert.deepEqual(filesOf({ live_photo, photo: live_photo.photo }), [
      [0, 'file', 'still'],
      [0, 'motion', 'clip'],
    ]);
    assert.equal(mediaOf({ live_photo })?.type, 'photo');
  });

  it('distinguishes still, animated and video stickers', () => {
    const sticker = (more: object) => ({
      sticker: { ...size('s', 512, 512), thumbnail: size('t', 128, 128), emoji: '⛴', ...more },
    });
    const still = sticker({ is_animated: false, is_video: false });
    assert.deepEqual(filesOf(still), [[0, 'file', 's']]);
    assert.deepEqual([mediaOf(still)?.mime, mediaOf(still)?.emoji], ['image/webp', '⛴']);
    assert.equal(mediaOf(sticker({ is_animated: true }))?.mime, 'application/x-tgsticker');
    assert.equal(mediaOf(sticker({ is_video: true }))?.mime, 'video/webm');
    assert.deepEqual(filesOf(sticker({ is_video: true })), [
      [0, 'file', 's'],
      [0, 'poster', 't'],
    ]);
  });

  it('marks a file without an id as lost, and keeps the message', () => {
    const { media, files, raw } = parseMessage(message({ document: { file_name: 'a.pdf' } }));
    assert.deepEqual([media[0]?.missing, media[0]?.name, files], ['lost', 'a.pdf', []]);
    assert.ok(raw);
  });

  it('downloads no paid media', () => {
    const { post, media, files } = parseMessage(
      message({
        caption: 'for a few',
        paid_media: {
          star_count: 5,
          paid_media: [
            { type: 'photo', photo: [size('p', 1280, 853)] },
            { type: 'video', video: { ...size('v', 1920, 1080), duration: 9 } },
            { type: 'preview', duration: 3 },
          ],
        },
      }),
    );
    assert.deepEqual([post.text, media, files], ['for a few', [], []]);
    assert.deepEqual(post.extra, {
      type: 'paid',
      stars: 5,
      items: [
        { type: 'photo', width: 1280, height: 853 },
        { type: 'video', width: 1920, height: 1080, duration: 9 },
        { type: 'other', duration: 3 },
      ],
    });
  });

  it('keeps paid media of an unknown kind', () => {
    const { post, raw } = parseMessage(message({ paid_media: { star_count: 5, paid_media: [{ type: 'scent', scent: {} }] } }));
    assert.deepEqual(post.extra, { type: 'paid', stars: 5, items: [{ type: 'other' }] });
    assert.match(raw ?? '', /scent/);
  });

  it('reads a task as done if it names who completed it, or when', () => {
    const tasks = [
      { id: 1, text: 'a' },
      { id: 2, text: 'b', completion_date: 9 },
      { id: 3, text: 'c', completed_by_chat: CHAT },
    ];
    assert.deepEqual(postOf({ checklist: { title: 'T', tasks } }).extra, {
      type: 'checklist',
      title: { text: 'T', entities: [] },
      tasks: [
        { text: 'a', entities: [], done: false },
        { text: 'b', entities: [], done: true, at: 9 },
        { text: 'c', entities: [], done: true },
      ],
    });
  });

  const poll = (more: object, votes: number[]) => ({
    poll: {
      id: '77',
      question: 'Q',
      options: votes.map((voter_count, at) => ({ persistent_id: `${at}`, text: `o${at}`, voter_count })),
      total_voter_count: votes.reduce((sum, one) => sum + one, 0),
      is_closed: false,
      ...more,
    },
  });

  it('returns vote counts only if the source contains them', () => {
    const options = (votes: (number | undefined)[]) =>
      votes.map((one, at) => (one === undefined ? { text: `o${at}` } : { text: `o${at}`, votes: one }));
    assert.deepEqual(postOf(poll({}, [0, 0])).poll, { question: 'Q', closed: false, options: options([undefined, undefined]) });
    assert.deepEqual(postOf(poll({ total_voter_count: 9 }, [0, 0])).poll, {
      question: 'Q',
      closed: false,
      total: 9,
      options: options([undefined, undefined]),
    });
    assert.deepEqual(postOf(poll({}, [2, 0])).poll, { question: 'Q', closed: false, total: 2, options: options([2, 0]) });
    assert.deepEqual(postOf(poll({ is_closed: true }, [0, 0])).poll, {
      question: 'Q',
      closed: true,
      total: 0,
      options: options([0, 0]),
    });
    assert.equal(parseMessage(message(poll({}, [1]))).pollId, '77');
  });

  it('shows the picture, location and description of a poll', () => {
    const media = { photo: [size('p', 640, 480)] };
    const { post, media: shown } = parseMessage(
      message(poll({ media, description: 'Why', description_entities: [{ type: 'bold', offset: 0, length: 3 }] }, [1])),
    );
    assert.deepEqual([post.text, post.entities[0]?.type, shown[0]?.type], ['Why', 'bold', 'photo']);
    assert.deepEqual(postOf(poll({ media: { location: { latitude: 1, longitude: 2 } } }, [1])).place, {
      latitude: 1,
      longitude: 2,
    });
    const quiz = parseMessage(message(poll({ explanation: 'Since 1871', correct_option_ids: [1] }, [1, 4])));
    assert.deepEqual(
      quiz.post.poll?.options.map(({ correct }) => correct),
      [undefined, true],
    );
    assert.match(quiz.raw ?? '', /Since 1871/);
  });

  it('reads a venue with its name and a contact, and ignores impossible coordinates', () => {
    const location = { latitude: 43.3, longitude: 5.4 };
    assert.deepEqual(postOf({ location, venue: { location, title: 'Quay', address: 'Low Quay 1' } }).place, {
      ...location,
      title: 'Quay',
      address: 'Low Quay 1',
    });
    assert.deepEqual(postOf({ contact: { phone_number: '+1', first_name: 'Ann', last_name: 'Lee' } }).contact, {
      name: 'Ann Lee',
      phone: '+1',
    });
    const invalidLocation = parseMessage(message({ location: { latitude: 430, longitude: 5 } }));
    assert.deepEqual(
      [invalidLocation.post.place, invalidLocation.post.extra],
      [undefined, { type: 'unknown', name: 'location' }],
    );
    assert.ok(invalidLocation.raw);
  });

  it('reads the end of a giveaway, with or without public winners', () => {
    const winners = [{ id: 1, first_name: 'Ann', last_name: 'Lee' }];
    assert.deepEqual(
      postOf({ giveaway_winners: { chat: CHAT, giveaway_message_id: 3, winner_count: 1, winners, prize_star_count: 500 } }).extra,
      { type: 'giveaway-over', winners: 1, stars: 500, names: ['Ann Lee'], postId: 3 },
    );
    assert.deepEqual(postOf({ giveaway_completed: { winner_count: 0, unclaimed_prize_count: 1 } }).extra, {
      type: 'giveaway-over',
      winners: 0,
      unclaimed: 1,
      names: [],
    });
  });

  for (const [forward_origin, forward] of [
    [
      { type: 'user', date: 9, sender_user: { id: 1, first_name: 'Ann', last_name: 'Lee' } },
      { name: 'Ann Lee', date: 9 },
    ],
    [
      { type: 'hidden_user', date: 9, sender_user_name: 'Hidden' },
      { name: 'Hidden', date: 9 },
    ],
    [
      { type: 'hidden_user', date: 9 },
      { name: null, date: 9 },
    ],
    [
      { type: 'chat', date: 9, sender_chat: { id: -100, type: 'group', title: 'Group' } },
      { name: 'Group', date: 9 },
    ],
    [
      { type: 'channel', date: 9, chat: CHAT, message_id: 3, author_signature: 'Bo' },
      { name: 'Town (Bo)', channelId: '1500000001', messageId: 3, date: 9 },
    ],
    [
      { type: 'from the future', date: 9 },
      { name: null, date: 9 },
    ],
  ] as const)
    it(`reads a forward from a ${forward_origin.type}${forward.name === null ? ' without a name' : ''}`, () =>
      assert.deepEqual(postOf({ text: 'a', forward_origin }).forward, forward));

  it('reads the post that a reply refers to, in its channel or in another, but never the text of that post', () => {
    const reply_to_message = message({ message_id: 3, text: 'the answered words' });
    assert.deepEqual(postOf({ text: 'a', reply_to_message }).reply, { id: 3 });
    assert.deepEqual(postOf({ text: 'a', reply_to_message, quote: { text: `${'q'.repeat(119)}😀`, position: 0 } }).reply, {
      id: 3,
      excerpt: 'q'.repeat(119),
    });
    const chat = { id: -1_001_600_000_002, type: 'channel', title: 'Other' };
    assert.deepEqual(postOf({ text: 'a', external_reply: { chat, message_id: 8 } }).reply, { id: 8, channelId: '1600000002' });
    const unresolvedReply = parseMessage(message({ text: 'a', external_reply: { origin: { type: 'hidden_user' } } }));
    assert.deepEqual([unresolvedReply.post.reply, unresolvedReply.raw !== undefined], [undefined, true]);
  });

  for (const [more, service] of [
    [{ channel_chat_created: true }, { action: 'created' }],
    [{ new_chat_title: 'Town hall' }, { action: 'renamed', title: 'Town hall' }],
    [{ new_chat_photo: [size('p', 640, 640)] }, { action: 'picture' }],
    [{ pinned_message: message({ message_id: 3 }) }, { action: 'pinned', messageId: 3 }],
    [{ pinned_message: { chat: CHAT, message_id: 3, date: 0 } }, { action: 'pinned', messageId: 3 }],
  ] as const)
    it(`shows the service message ${JSON.stringify(service)}`, () => assert.deepEqual(postOf(more).service, service));

  for (const name of [
    'delete_chat_photo',
    'video_chat_started',
    'giveaway_created',
    'boost_added',
    'checklist_tasks_done',
    'gift',
  ])
    it(`classifies ${name} as a service message that is not shown`, () => {
      const parsed = parseChannelPost(message({ [name]: { boost_count: 1 } }));
      assert.ok(parsed.type === 'service-unshown');
      assert.deepEqual([parsed.id, parsed.name, parsed.chat.title], [5, name, 'Town']);
      assert.match(parsed.raw, /boost_count/);
    });

  it('names an unknown kind, shows its texts, and keeps its raw data', () => {
    const { post, raw } = parseMessage(
      message({ mood_board: { title: 'Autumn', pages: [{ text: 'rust' }, { text: 'ochre' }] } }),
    );
    assert.deepEqual([post.extra, post.text], [{ type: 'unknown', name: 'mood_board' }, 'Autumn\nrust\nochre']);
    assert.match(raw ?? '', /ochre/);
    const withUnknownField = parseMessage(message({ text: 'known', mood_board: {} }));
    assert.deepEqual(
      [withUnknownField.post.extra, withUnknownField.post.text, withUnknownField.raw !== undefined],
      [undefined, 'known', true],
    );
    assert.deepEqual(postOf({}).extra, { type: 'unknown', name: 'empty' });
    assert.ok(
      parseMessage(message({ text: 'a', reply_markup: { inline_keyboard: [[{ text: 'Buy', url: 'https://a.example' }]] } })).raw,
    );
  });

  for (const [label, raw, reason] of [
    ['no object', 'text', 'the message is not an object'],
    ['no chat', { message_id: 5, date: 1, text: 'a' }, 'its chat is not a channel'],
    ['a group', { ...message({ text: 'a' }), chat: { ...CHAT, type: 'supergroup' } }, 'its chat is not a channel'],
    ['an id like a group', { ...message({ text: 'a' }), chat: { ...CHAT, id: -100 } }, 'its chat is not a channel'],
    ['id 0', message({ message_id: 0 }), 'it has no message id'],
    ['an id that is no number', message({ message_id: '5' }), 'it has no message id'],
    ['no date', message({ date: 0 }), 'it has no date'],
    ['no date but NaN', message({ date: Number.NaN }), 'it has no date'],
  ] as const)
    it(`rejects a message (${label})`, () => assert.deepEqual(parseChannelPost(raw), { type: 'bad', reason }));
});
