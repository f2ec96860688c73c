// Parser of rich text and rich messages of the Bot API.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { RichBlock, RichText } from '@grammyjs/types';
import type { ContentBlock } from '../../../../../contract/extra.ts';
import { message, parseMessage } from '../messages.ts';

const rich = (blocks: unknown, more: object = {}) => {
  const read = parseMessage(message({ rich_message: { blocks, ...more } }));
  const extra = read.post.extra;
  const isRich = (value: unknown): value is { type: 'rich'; blocks: ContentBlock[]; rtl?: boolean } =>
    typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'rich';
  assert.ok(isRich(extra));
  return { ...read, text: read.post.text, entities: read.post.entities, blocks: extra.blocks, rtl: extra.rtl };
};

const paragraph = (text: RichText): RichBlock[] => [{ type: 'paragraph', text }];

const photo = [
  { file_id: 'F1', file_unique_id: 's', width: 90, height: 60 },
  { file_id: 'F2', file_unique_id: 'l', width: 1280, height: 853 },
];
const video = { file_id: 'F3', file_unique_id: 'v', width: 640, height: 360, duration: 3 };
const location = { latitude: 43.3, longitude: 5.4 };

describe('rich text', () => {
  it('flattens nested entities, the outer one first', () => {
    const { text, entities } = rich(
      paragraph([
        '😀 ',
        { type: 'bold', text: ['wind ', { type: 'italic', text: [{ type: 'underline', text: 'up' }, '!'] }] },
        '.',
      ]),
    );
    assert.equal(text, '😀 wind up!.');
    assert.deepEqual(
      entities.map(({ type, offset, length }) => [type, offset, length]),
      [
        ['bold', 3, 8],
        ['italic', 8, 3],
        ['underline', 8, 2],
      ],
    );
  });

  it('puts the outer entity first if both have the same length', () => {
    const { entities } = rich(paragraph({ type: 'bold', text: { type: 'italic', text: 'x' } }));
    assert.deepEqual(
      entities.map(({ type }) => type),
      ['bold', 'italic'],
    );
  });

  const user = { id: 42, is_bot: false, first_name: 'Ann' };
  const simple = [
    'bold',
    'italic',
    'underline',
    'strikethrough',
    'spoiler',
    'subscript',
    'superscript',
    'marked',
    'code',
  ] as const;
  const cases: readonly (readonly [RichText, string, object | null])[] = [
    ...simple.map((type) => [{ type, text: 'x' }, 'x', { type }] as const),
    [
      { type: 'date_time', text: 'now', unix_time: 1_700_000_000, date_time_format: 'r' },
      'now',
      { type: 'date_time', time: 1_700_000_000 },
    ],
    [{ type: 'text_mention', text: 'Ann', user }, 'Ann', { type: 'text_mention', userId: '42' }],
    [{ type: 'custom_emoji', custom_emoji_id: '9', alternative_text: '👍' }, '👍', { type: 'custom_emoji', emojiId: '9' }],
    [{ type: 'mathematical_expression', expression: 'x^2' }, 'x^2', { type: 'math' }],
    [{ type: 'url', text: 'here', url: 'https://a.example' }, 'here', { type: 'text_link', url: 'https://a.example' }],
    [{ type: 'url', text: 'here', url: 'javascript:alert(1)' }, 'here', null],
    [{ type: 'email_address', text: 'a@b.example', email_address: 'a@b.example' }, 'a@b.example', { type: 'email' }],
    [
      { type: 'email_address', text: 'mail', email_address: 'a@b.example' },
      'mail',
      { type: 'text_link', url: 'mailto:a@b.example' },
    ],
    [{ type: 'phone_number', text: 'call', phone_number: '+1 (2) 3' }, 'call', { type: 'text_link', url: 'tel:+123' }],
    [{ type: 'bank_card_number', text: '4242', bank_card_number: '4242' }, '4242', { type: 'bank_card' }],
    [{ type: 'mention', text: '@town', username: 'town' }, '@town', { type: 'mention' }],
    [{ type: 'hashtag', text: '#town', hashtag: 'town' }, '#town', { type: 'hashtag' }],
    [{ type: 'cashtag', text: '$USD', cashtag: 'USD' }, '$USD', { type: 'cashtag' }],
    [{ type: 'bot_command', text: '/go', bot_command: '/go' }, '/go', { type: 'bot_command' }],
    [
      { type: 'button', button: { text: 'Go', url: 'tg://resolve?domain=a' } },
      'Go',
      { type: 'text_link', url: 'tg://resolve?domain=a' },
    ],
    [{ type: 'button', button: { text: 'Go', callback_data: 'x' } }, 'Go', null],
    [{ type: 'anchor', name: 'one' }, '', null],
    [{ type: 'anchor_link', text: 'up', anchor_name: 'one' }, 'up', null],
    [{ type: 'reference', text: 'note', name: '1' }, 'note', null],
    [{ type: 'reference_link', text: '1', reference_name: '1' }, '1', null],
  ];
  for (const [input, text, entity] of cases)
    it(`reads ${JSON.stringify(input)}`, () => {
      const read = rich(paragraph(['a', input, 'b']));
      assert.equal(read.text, `a${text}b`);
      assert.deepEqual(read.entities, entity === null ? [] : [{ ...entity, offset: 1, length: text.length }]);
    });

  it('keeps the text of an unknown kind, and the raw message', () => {
    const read = rich([
      { type: 'paragraph', text: ['a ', { type: 'wobbly', text: ['b ', { type: 'bold', text: 'c' }], credit: ' d' }] },
    ]);
    assert.deepEqual([read.text, read.entities], ['a b c d', [{ type: 'bold', offset: 4, length: 1 }]]);
    assert.match(read.raw ?? '', /wobbly/);
  });
});

describe('rich messages', () => {
  const blocks: RichBlock[] = [
    { type: 'heading', size: 1, text: 'Night ferries' },
    { type: 'paragraph', text: ['The ', { type: 'bold', text: 'last' }, ' boat'] },
    { type: 'divider' },
    { type: 'photo', photo, has_spoiler: true, caption: { text: 'Quay', credit: 'A. Marin' } },
    {
      type: 'slideshow',
      blocks: [
        { type: 'video', video, caption: { text: 'Wings' } },
        { type: 'photo', photo },
      ],
      caption: { text: 'Two' },
    },
    {
      type: 'list',
      items: [
        { label: '1.', blocks: [{ type: 'paragraph', text: 'East' }] },
        { label: '2.', blocks: [{ type: 'paragraph', text: 'West' }], has_checkbox: true, is_checked: true },
        { label: '3.', blocks: [{ type: 'paragraph', text: 'North' }], has_checkbox: true },
      ],
    },
    { type: 'blockquote', blocks: [{ type: 'paragraph', text: 'Calm' }], credit: 'Pilot' },
    { type: 'expandable_blockquote', text: 'Long', credit: 'Mate' },
    { type: 'pullquote', text: 'Short' },
    {
      type: 'table',
      cells: [
        [
          { text: 'Pier', is_header: true, colspan: 2, align: 'center', valign: 'top' },
          { text: 'Min', align: 'left', valign: 'top' },
        ],
      ],
      caption: 'Piers',
    },
    { type: 'details', summary: 'More', blocks: [{ type: 'footer', text: 'Small' }], is_open: true },
    { type: 'map', location, zoom: 14, width: 300, height: 200, caption: { text: 'Here' } },
    { type: 'pre', text: 'a = 1', language: 'ts' },
    { type: 'mathematical_expression', expression: 'E = mc^2' },
    { type: 'thinking', text: 'Hm' },
    { type: 'anchor', name: 'end' },
    { type: 'voice_note', voice_note: { file_id: 'F4', file_unique_id: 'o', duration: 2 } },
    {
      type: 'buttons',
      buttons: [
        { text: 'Site', url: 'https://a.example' },
        { text: 'App', web_app: { url: 'https://app.example' } },
      ],
    },
  ];

  it('contain every block, and all text also as the text of the post', () => {
    const read = rich(blocks, { is_rtl: true });
    const plain = (text: string) => ({ text, entities: [] });
    assert.equal(read.rtl, true);
    assert.deepEqual(read.blocks, [
      { type: 'heading', size: 1, ...plain('Night ferries') },
      { type: 'paragraph', text: 'The last boat', entities: [{ type: 'bold', offset: 4, length: 4 }] },
      { type: 'divider' },
      { type: 'media', layout: 'single', media: [0], caption: plain('Quay'), credit: plain('A. Marin') },
      { type: 'media', layout: 'slideshow', media: [1, 2], caption: plain('Two') },
      { type: 'paragraph', ...plain('Wings') },
      {
        type: 'list',
        items: [
          { label: '1.', blocks: [{ type: 'paragraph', ...plain('East') }] },
          { label: '2.', checked: true, blocks: [{ type: 'paragraph', ...plain('West') }] },
          { label: '3.', checked: false, blocks: [{ type: 'paragraph', ...plain('North') }] },
        ],
      },
      { type: 'quote', blocks: [{ type: 'paragraph', ...plain('Calm') }], credit: plain('Pilot') },
      { type: 'quote', blocks: [{ type: 'paragraph', ...plain('Long') }], credit: plain('Mate'), folded: true },
      { type: 'pullquote', ...plain('Short') },
      {
        type: 'table',
        rows: [
          [
            { ...plain('Pier'), header: true, colspan: 2, align: 'center' },
            { ...plain('Min'), align: 'left' },
          ],
        ],
        caption: plain('Piers'),
      },
      { type: 'details', summary: plain('More'), blocks: [{ type: 'footer', ...plain('Small') }], open: true },
      { type: 'map', place: location, caption: plain('Here') },
      { type: 'pre', language: 'ts', ...plain('a = 1') },
      { type: 'math', text: 'E = mc^2' },
      { type: 'thinking', ...plain('Hm') },
      { type: 'media', layout: 'single', media: [3] },
      { type: 'buttons', buttons: [{ text: 'Site', url: 'https://a.example' }, { text: 'App' }] },
    ]);
    assert.equal(
      read.text,
      'Night ferries\n\nThe last boat\n\nQuay\nA. Marin\n\nTwo\n\nWings\n\n1. East\n2. West\n3. North\n\nCalm\nPilot\n\nLong\nMate\n\nShort\n\n' +
        'Pier | Min\nPiers\n\nMore\nSmall\n\nHere\n\na = 1\n\nE = mc^2\n\nHm\n\nSite | App',
    );
    assert.deepEqual(
      read.entities.map(({ type, offset, length }) => [type, read.text.slice(offset, offset + length)]),
      [
        ['bold', 'Night ferries'],
        ['bold', 'last'],
        ['blockquote', 'Calm'],
        ['expandable_blockquote', 'Long'],
        ['blockquote', 'Short'],
        ['bold', 'More'],
        ['pre', 'a = 1'],
        ['math', 'E = mc^2'],
        ['text_link', 'Site'],
      ],
    );
    assert.deepEqual(
      read.media.map(({ type, spoiler }) => [type, spoiler]),
      [
        ['photo', true],
        ['video', undefined],
        ['photo', undefined],
        ['voice', undefined],
      ],
    );
    assert.deepEqual(
      read.files?.map(({ index, uniqueId }) => [index, uniqueId]),
      [
        [0, 'l'],
        [1, 'v'],
        [2, 'l'],
        [3, 'o'],
      ],
    );
    assert.equal(read.raw, undefined);
  });

  it('keep the name and the text of an unknown or invalid block', () => {
    const read = rich([
      {
        type: 'timeline',
        text: ['From ', { type: 'bold', text: 'here' }],
        items: [{ label: '1871', blocks: [{ type: 'paragraph', text: 'Built' }] }],
      },
      { type: 'photo', photo: 'none', caption: { text: 'Quay' } },
      { type: 'map', location: {}, caption: { text: 'Nowhere' } },
      'words alone',
      null,
    ]);
    assert.deepEqual(
      read.blocks.map((block) => ('text' in block ? block.text : block.type === 'unknown' ? block.name : block.type)),
      ['timeline', 'From here\n1871\nBuilt', 'photo', 'Quay', 'map', 'Nowhere', 'block', 'words alone', 'block'],
    );
    assert.deepEqual(read.entities, [{ type: 'bold', offset: 5, length: 4 }]);
    assert.ok(read.raw);
  });

  for (const url of [
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    'file:///etc/passwd',
    ' JaVaScRiPt:x',
    5,
    {},
  ])
    it(`contain no link from a button to ${JSON.stringify(url)}`, () =>
      assert.deepEqual(rich([{ type: 'buttons', buttons: [{ text: 'Go', url }] }]).blocks, [
        { type: 'buttons', buttons: [{ text: 'Go' }] },
      ]));

  it('keep their text if the blocks are not a list', () => {
    const { post, raw } = parseMessage(message({ rich_message: { blocks: { text: 'left' } } }));
    assert.deepEqual([post.extra, post.text], [{ type: 'unknown', name: 'rich_message' }, 'left']);
    assert.ok(raw);
  });

  const nested = (depth: number, inner: RichBlock): RichBlock =>
    depth === 0 ? inner : { type: 'blockquote', blocks: [nested(depth - 1, inner)] };

  it('keep the 16 levels of nesting that Telegram allows, and only the text of much deeper levels', () => {
    const deepOf = (depth: number) => rich([nested(depth, { type: 'paragraph', text: 'deep' })]);
    assert.equal(deepOf(16).raw, undefined);
    assert.equal(deepOf(16).text, 'deep');
    assert.equal(deepOf(200).text, 'deep');
    assert.ok(deepOf(200).raw);
    let text: RichText = 'deep';
    for (let depth = 0; depth < 200; depth++) text = { type: 'bold', text };
    assert.equal(rich(paragraph(text)).text, 'deep');
  });
});
