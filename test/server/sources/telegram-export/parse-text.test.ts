// Parser of texts and messages of a Telegram Desktop export.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Value } from 'typebox/value';
import { Post } from '../../../../contract/post.ts';
import { type MessageDraft, parseExportedMessage } from '../../../../server/sources/telegram-export/parse-message.ts';
import { parseExportedText, parseTextParts } from '../../../../server/sources/telegram-export/parse-text.ts';
import { exportedMessage } from './export-files.ts';

const draftOf = (more: object): MessageDraft => {
  const parsed = parseExportedMessage(exportedMessage(5, more), '77', 0);
  assert.ok(parsed.type === 'post', JSON.stringify(parsed));
  const { post, file } = parsed.draft;
  assert.ok(Value.Check(Post, { ...post, media: file ? [file.media] : [] }), JSON.stringify(post));
  return parsed.draft;
};

describe('parseExportedText', () => {
  it('joins the parts, and counts offsets in UTF-16 units', () => {
    const parts = [
      { type: 'plain', text: '😀 ' },
      { type: 'bold', text: 'жир' },
      { type: 'bold', text: 'но' },
      { type: 'italic', text: '👍' },
    ];
    assert.deepEqual(parseTextParts(parts), {
      text: '😀 жирно👍',
      entities: [
        { type: 'bold', offset: 3, length: 5 },
        { type: 'italic', offset: 8, length: 2 },
      ],
    });
  });

  for (const [part, entity] of [
    [{ type: 'link', text: 'x.example' }, { type: 'url' }],
    [{ type: 'phone', text: '+1' }, { type: 'phone_number' }],
    [
      { type: 'mention_name', text: 'Ann', user_id: 42 },
      { type: 'text_mention', userId: '42' },
    ],
    [
      { type: 'pre', text: 'x', language: 'ts' },
      { type: 'pre', language: 'ts' },
    ],
    [{ type: 'pre', text: 'x', language: '' }, { type: 'pre' }],
    [{ type: 'blockquote', text: 'x', collapsed: true }, { type: 'expandable_blockquote' }],
    [{ type: 'blockquote', text: 'x', collapsed: false }, { type: 'blockquote' }],
    [
      { type: 'custom_emoji', text: '🔥', document_id: '5368' },
      { type: 'custom_emoji', emojiId: '5368' },
    ],
    [{ type: 'custom_emoji', text: '🔥', document_id: 'stickers/sticker.webp' }, { type: 'custom_emoji' }],
    [
      { type: 'text_link', text: 'x', href: 'https://a.example/?b=1' },
      { type: 'text_link', url: 'https://a.example/?b=1' },
    ],
    [
      { type: 'text_link', text: 'x', href: 'tg://resolve?domain=a' },
      { type: 'text_link', url: 'tg://resolve?domain=a' },
    ],
    [
      { type: 'formatted_date', text: 'x', unixtime: '1700000000' },
      { type: 'date_time', time: 1700000000 },
    ],
    ...[
      'mention',
      'hashtag',
      'cashtag',
      'bot_command',
      'email',
      'bank_card',
      'underline',
      'strikethrough',
      'spoiler',
      'code',
    ].map((type) => [{ type, text: 'x' }, { type }] as const),
  ] as const)
    it(`reads ${JSON.stringify(part)}`, () => {
      assert.deepEqual(parseTextParts([part]), {
        text: part.text,
        entities: [{ ...entity, offset: 0, length: part.text.length }],
      });
    });

  for (const href of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'no url',
    '',
    5,
  ])
    it(`keeps the text and drops the link to ${JSON.stringify(href)}`, () => {
      assert.deepEqual(parseTextParts([{ type: 'text_link', text: 'here', href }]), { text: 'here', entities: [] });
    });

  it('loses no text if text_entities is empty or if parts are nested', () => {
    assert.equal(parseExportedText({ text: 'kept', text_entities: [] }).text, 'kept');
    assert.deepEqual(parseExportedText({ text: ['a', ['b', ['c']], { type: 'bold', text: ['d', 'e'] }] }), {
      text: 'abcde',
      entities: [{ type: 'bold', offset: 3, length: 2 }],
    });
  });

  it('reads text if there are no text_entities, and ignores invalid parts', () => {
    assert.deepEqual(parseExportedText({ text: 'plain' }), { text: 'plain', entities: [] });
    assert.deepEqual(parseExportedText({ text: ['a', { type: 'bold', text: 'b' }, ''] }), {
      text: 'ab',
      entities: [{ type: 'bold', offset: 1, length: 1 }],
    });
    assert.deepEqual(
      parseExportedText({
        text_entities: [7, null, { type: 'bold' }, { type: 'bold', text: '' }, { type: 'unknown', text: 'x' }],
      }),
      { text: 'x', entities: [] },
    );
  });
});

describe('parseExportedMessage', () => {
  it('uses date_unixtime, and the date only if it is missing, with a note', () => {
    assert.equal(draftOf({ date: '2001-01-01T00:00:00', date_unixtime: '1700000000' }).post.date, 1_700_000_000);
    const parsed = parseExportedMessage(exportedMessage(5, { date: '2023-11-14T22:13:20', date_unixtime: undefined }), '77', 0);
    assert.ok(parsed.type === 'post' && parsed.note !== undefined && parsed.draft.post.date === 1_700_000_000);
  });

  it('rejects a message with a negative id, also one that is only an id', () => {
    for (const type of ['message', 'unsupported'])
      assert.deepEqual(parseExportedMessage(exportedMessage(-5, { type }), '77', 0), {
        type: 'bad',
        subject: 'message -5',
        reason: 'its id is negative',
      });
  });

  it('orders versions by the time of the edit', () => {
    const { post, modifiedAt } = draftOf({ edited: '2026-01-01T00:00:00', edited_unixtime: '1800000000' });
    assert.deepEqual([post.edited, modifiedAt], [1_800_000_000, 1_800_000_000]);
  });

  it('reads forwards, also from hidden senders', () => {
    assert.deepEqual(draftOf({ forwarded_from: 'Other', forwarded_from_id: 'channel9' }).post.forward, {
      name: 'Other',
      channelId: '9',
    });
    assert.deepEqual(draftOf({ forwarded_from: null, forwarded_from_id: 'user9' }).post.forward, { name: null });
    assert.equal(draftOf({ from: null, author: null }).post.author, undefined);
  });

  it('reads replies, authors and reactions', () => {
    const { post } = draftOf({
      reply_to_message_id: 3,
      reply_to_peer_id: 'channel8',
      author: 'Ann',
      reactions: [
        { type: 'emoji', count: 3, emoji: '🔥' },
        { type: 'custom_emoji', count: 2, document_id: '77' },
        { type: 'paid', count: 1 },
        { type: 'emoji', count: 0, emoji: '👎' },
        'nonsense',
      ],
    });
    assert.deepEqual(post.reply, { id: 3, channelId: '8' });
    assert.equal(post.author, 'Ann');
    assert.deepEqual(post.reactions, [
      { emoji: '🔥', count: 3 },
      { emoji: '✨', emojiId: '77', count: 2 },
      { emoji: '⭐', paid: true, count: 1 },
    ]);
  });

  it('reads polls, and returns no vote counts if they are unknown', () => {
    const poll = (voters: number[], total: number) =>
      draftOf({
        poll: {
          question: 'Q',
          closed: true,
          total_voters: total,
          answers: voters.map((count) => ({ text: 'a', voters: count, chosen: false })),
        },
      }).post.poll;
    assert.deepEqual(poll([2, 0], 2), {
      question: 'Q',
      closed: true,
      total: 2,
      options: [
        { text: 'a', votes: 2 },
        { text: 'a', votes: 0 },
      ],
    });
    assert.deepEqual(poll([0, 0], 9), { question: 'Q', closed: true, total: 9, options: [{ text: 'a' }, { text: 'a' }] });
  });

  it('reads venues and contacts', () => {
    const venue = draftOf({
      location_information: { latitude: 1.5, longitude: -2.5 },
      place_name: 'Quay',
      address: 'Low Quay 1',
    });
    assert.deepEqual(venue.post.place, { latitude: 1.5, longitude: -2.5, title: 'Quay', address: 'Low Quay 1' });
    const contact = draftOf({ contact_information: { first_name: 'Ann', last_name: 'Lee', phone_number: '+1' } });
    assert.deepEqual(contact.post.contact, { name: 'Ann Lee', phone: '+1' });
  });

  for (const [more, other] of [
    [{ giveaway_information: { quantity: 1 } }, 'giveaway'],
    [{ invoice_information: { title: 'T' } }, 'invoice'],
    [{ game_title: 'G' }, 'game'],
    [{ paid_stars_amount: 5 }, 'paid_media'],
    [{ text: '', text_entities: [] }, 'unknown'],
  ] as const)
    it(`classifies ${JSON.stringify(more)} as ${other}`, () => assert.equal(draftOf(more).post.other, other));

  it('derives the type of a file from the fields of the message', () => {
    const media = (more: object) => draftOf({ file: 'files/x', ...more }).file?.media;
    const types = [
      'sticker',
      'animation',
      'video_file',
      'video_message',
      'voice_message',
      'audio_file',
      'something new',
      undefined,
    ];
    assert.deepEqual(
      types.map((media_type) => media({ media_type })?.type),
      ['sticker', 'animation', 'video', 'video_note', 'voice', 'audio', 'document', 'document'],
    );
    assert.deepEqual(
      media({
        media_type: 'audio_file',
        duration_seconds: 5,
        title: 'T',
        performer: 'P',
        mime_type: 'audio/mpeg',
        file_size: 3,
        file_name: 'n',
      }),
      {
        type: 'audio',
        messageId: 5,
        size: 3,
        duration: 5,
        name: 'n',
        mime: 'audio/mpeg',
        title: 'T',
        performer: 'P',
      },
    );
  });

  it('returns only valid posts, whatever value a field has', () => {
    const junk = [null, true, -1, 1.5, 1e300, '', 'x', [], {}, [[]], [null], { a: 1 }];
    const fields = Object.keys({
      ...exportedMessage(1),
      ...{
        photo: 0,
        file: 0,
        poll: 0,
        reactions: 0,
        location_information: 0,
        contact_information: 0,
        forwarded_from: 0,
        forwarded_from_id: 0,
        reply_to_message_id: 0,
        edited_unixtime: 0,
        author: 0,
        media_type: 0,
        width: 0,
        duration_seconds: 0,
        thumbnail: 0,
        action: 0,
      },
    });
    for (const type of ['message', 'service'])
      for (const field of fields)
        for (const value of junk) {
          const parsed = parseExportedMessage({ ...exportedMessage(5, { type }), [field]: value }, '77', 0);
          if (parsed.type === 'post')
            assert.ok(
              Value.Check(Post, { ...parsed.draft.post, media: parsed.draft.file ? [parsed.draft.file.media] : [] }),
              `${field} ${JSON.stringify(value)}`,
            );
        }
  });
});
