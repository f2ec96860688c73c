// Fixtures of rare kinds of posts.

import type { ContentBlock, FormattedText, ListItem, PostExtra } from '../../../contract/extra.ts';
import type { Entity, Media, Post } from '../../../contract/post.ts';

/** Returns a text with the given entities. */
export const richText = (text: string, ...entities: Entity[]): FormattedText => ({ text, entities });

/** Returns an entity over the first occurrence of `part` in a text. */
export const entityOver = (text: string, part: string, type: Entity['type'], more: Partial<Entity> = {}): Entity => ({
  type,
  offset: text.indexOf(part),
  length: part.length,
  ...more,
});

export const paragraph = (text: string, ...entities: Entity[]): ContentBlock => ({
  type: 'paragraph',
  ...richText(text, ...entities),
});
export const heading = (size: number, text: string): ContentBlock => ({ type: 'heading', size, ...richText(text) });
export const item = (label: string, text: string, more: Partial<ListItem> = {}): ListItem => ({
  label,
  blocks: [paragraph(text)],
  ...more,
});

const photo = (name: string, width: number, height: number, more: Partial<Media> = {}): Media => ({
  type: 'photo',
  messageId: 1,
  src: `/${name}.svg`,
  width,
  height,
  placeholder: '8899aa778899667788aabbcc99aabb8899aaccbbaabbaa99aa9988'.slice(0, 54),
  ...more,
});

const PHOTOS = [photo('quay', 1600, 1000), photo('hall', 1200, 1200), photo('boat', 1000, 1400), photo('tide', 1600, 900)];

const INTRO = 'The lower quay reopens on Monday; see the plan and H2O levels (10²).';

/** Every block of a rich message. Its first two pictures are in one block, the next two in another. */
export const BLOCKS: readonly ContentBlock[] = [
  heading(1, 'The quay reopens'),
  paragraph(
    INTRO,
    entityOver(INTRO, 'lower quay', 'bold'),
    entityOver(INTRO, 'Monday', 'marked'),
    entityOver(INTRO, 'the plan', 'text_link', { url: 'https://gazette.example/plan' }),
    entityOver(INTRO, '2O', 'subscript'),
    entityOver(INTRO, '²', 'superscript'),
  ),
  heading(3, 'What is done'),
  {
    type: 'list',
    items: [
      item('•', 'Stones laid', { checked: true }),
      item('•', 'Lamps up', { checked: false }),
      {
        label: '1.',
        blocks: [paragraph('Opening day'), { type: 'list', items: [item('a.', 'Band at noon'), item('b.', 'Boats at two')] }],
      },
    ],
  },
  {
    type: 'table',
    caption: richText('Ferries on Monday'),
    rows: [
      [
        { ...richText('Boat'), header: true },
        { ...richText('First'), header: true, align: 'right' },
        { ...richText('Last'), header: true, align: 'right' },
        { ...richText('Calls at'), header: true },
      ],
      [
        { ...richText('Linnet'), header: true },
        { ...richText('06:10'), align: 'right' },
        { ...richText('21:40'), align: 'right' },
        richText('Fish Hall, North Quay, the island'),
      ],
      [
        { ...richText('Wren'), header: true },
        { ...richText('Not on this day'), colspan: 3, align: 'center' },
      ],
    ],
  },
  {
    type: 'quote',
    blocks: [paragraph('We waited two winters for this. The fish never noticed.')],
    credit: richText('Ida, harbour master'),
  },
  { type: 'quote', folded: true, blocks: [paragraph('A long memory of the old quay. '.repeat(14)), paragraph('The end of it.')] },
  { type: 'pullquote', ...richText('The sea always has the last word.'), credit: richText('A sailor') },
  { type: 'pre', language: 'js', ...richText('const tide = (hour) => Math.sin(hour / 6);') },
  { type: 'math', text: 'h(t) = A \\cos(\\omega t + \\varphi)' },
  {
    type: 'media',
    layout: 'collage',
    media: [0, 1],
    caption: richText('The quay and the hall'),
    credit: richText('Photos: Ida'),
  },
  { type: 'media', layout: 'slideshow', media: [2, 3] },
  { type: 'map', place: { latitude: 54.1, longitude: 10.2, title: 'Fish Hall' }, caption: richText('Where to meet') },
  {
    type: 'details',
    summary: richText('For the curious'),
    blocks: [heading(2, 'Depths'), paragraph('Four metres at low tide.')],
  },
  { type: 'divider' },
  { type: 'thinking', ...richText('The reader may want the timetable first.') },
  {
    type: 'buttons',
    buttons: [{ text: 'Timetable', url: 'https://gazette.example/times' }, { text: 'Remind me' }],
  },
  { type: 'unknown', name: 'hologram' },
  { type: 'footer', ...richText('Corrected at noon.') },
];

const link = 'https://t.me/gazette/7';
const extra = (value: PostExtra, more: Partial<Post> = {}): Partial<Post> => ({ text: '', extra: value, link, ...more });

/** A post of each kind other than text, files and poll, by kind. */
export const POST_KINDS = {
  rich: extra({ type: 'rich', blocks: BLOCKS }, { text: 'Plain words of the rich post', media: PHOTOS }),
  'rich to the left': extra({
    type: 'rich',
    rtl: true,
    blocks: [
      heading(1, 'يُفتح الرصيف'),
      paragraph('Telegram ينشر الأخبار أولًا.'),
      { type: 'list', items: [item('1.', 'الحجارة'), item('2.', 'المصابيح', { checked: true })] },
      { type: 'quote', blocks: [paragraph('انتظرنا شتاءين.')], credit: richText('إيدا') },
    ],
  }),
  checklist: extra({
    type: 'checklist',
    title: richText('Before the storm'),
    tasks: [
      { ...richText('Tie the boats'), done: true, at: 1_790_000_000 },
      { ...richText('Close the gate'), done: false },
      { ...richText('Call Ida'), done: false },
    ],
  }),
  dice: extra({ type: 'dice', emoji: '🎲', value: 5 }),
  giveaway: extra({
    type: 'giveaway',
    winners: 3,
    until: 1_790_000_000,
    months: 6,
    prize: 'and a tin of biscuits',
    channels: ['Harbour Gazette', 'Night Sky'],
  }),
  'giveaway over': extra({ type: 'giveaway-over', winners: 2, unclaimed: 1, stars: 500, names: ['Ida', 'Olav'], postId: 3 }),
  story: extra({ type: 'story', name: 'Harbour Gazette', url: 'https://t.me/gazette/s/4' }),
  paid: extra(
    {
      type: 'paid',
      stars: 250,
      items: [
        { type: 'photo', width: 1200, height: 900 },
        { type: 'video', width: 1280, height: 720, duration: 71 },
        { type: 'other' },
      ],
    },
    { text: 'The whole album, for those who want it.' },
  ),
  invoice: extra({ type: 'invoice', title: 'Tide table 2027', about: 'Printed, by post', amount: 1250, currency: 'EUR' }),
  'invoice in stars': extra({ type: 'invoice', title: 'Thanks', about: 'For the crew', amount: 50, currency: 'XTR' }),
  game: extra({ type: 'game', title: 'Catch the tide', about: 'Five minutes' }),
  unknown: extra({ type: 'unknown', name: 'telepathy' }, { text: 'Words beside it.' }),
  live: { text: 'A live photo', media: [photo('tide', 1600, 900, { motion: '/none.mp4' })] },
  'video message': {
    text: '',
    media: [
      { type: 'video_note', messageId: 1, src: '/none.mp4', duration: 14, poster: { src: '/hall.svg', width: 400, height: 400 } },
    ],
  },
  sticker: { text: '', media: [{ type: 'sticker', messageId: 1, src: '/boat.svg', width: 512, height: 512, emoji: '⛵' }] },
  'animated sticker': {
    text: '',
    media: [{ type: 'sticker', messageId: 1, src: '/none.tgs', mime: 'application/x-tgsticker', emoji: '🐟' }],
  },
  dropped: { text: 'An old one', link, media: [{ type: 'video', messageId: 1, missing: 'dropped', width: 1280, height: 720 }] },
  gone: { text: 'Taken back.', gone: 1_790_000_000 },
  gap: { text: 'After a gap.', gap: 3 },
} satisfies Readonly<Record<string, Partial<Post>>>;
