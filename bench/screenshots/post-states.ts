/** Screenshot states of posts of all types. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Post } from '../../contract/post.ts';
import { entityOver, POST_KINDS } from '../../test/browser/components/post-kinds.ts';
import { CHANNEL_POSTS, GAZETTE } from './paths.ts';
import type { Stage, State } from './state.ts';
import { ARTICLE } from './steps.ts';

const TEXT =
  'Bold, italic, underlined and struck; a spoiler, some code, a link and #tides. Nested: bold and italic. @harbour_gazette_demo, mail@example.org, ⛴️ 🇳🇴.';
const CODE = 'const tide = (hour) => Math.sin(hour / 6);\nconsole.log(tide(3));';
const QUOTE = 'We waited two winters for this. The fish never noticed.';
/** Returns a post whose complete text has one entity. */
const formattedPost = (text: string, type: 'blockquote' | 'expandable_blockquote' | 'pre', fields = {}): Partial<Post> => ({
  text,
  entities: [{ type, offset: 0, length: text.length, ...fields }],
});
const filePost = (type: 'document' | 'audio' | 'voice' | 'video', fields: Partial<Post['media'][number]>): Partial<Post> => ({
  media: [{ type, messageId: 1, src: '/none.bin', ...fields }],
});
const photoPost = (...sizes: readonly (readonly [string, number, number])[]): Partial<Post> => ({
  media: sizes.map(([name, width, height]) => ({ type: 'photo', messageId: 1, src: `/${name}.svg`, width, height })),
});

/** Posts of each common type. */
const COMMON_POSTS: readonly Partial<Post>[] = [
  {
    text: TEXT,
    entities: [
      entityOver(TEXT, 'Bold', 'bold'),
      entityOver(TEXT, 'italic', 'italic'),
      entityOver(TEXT, 'underlined', 'underline'),
      entityOver(TEXT, 'struck', 'strikethrough'),
      entityOver(TEXT, 'a spoiler', 'spoiler'),
      entityOver(TEXT, 'some code', 'code'),
      entityOver(TEXT, 'a link', 'text_link', { url: 'https://gazette.example/plan' }),
      entityOver(TEXT, '#tides', 'hashtag'),
      entityOver(TEXT, 'bold and italic', 'bold'),
      entityOver(TEXT, 'and italic', 'italic'),
      entityOver(TEXT, '@harbour_gazette_demo', 'mention'),
      entityOver(TEXT, 'mail@example.org', 'email'),
    ],
    reactions: [
      { emoji: '👍', count: 1204 },
      { emoji: '⭐', count: 12, paid: true },
      { emoji: '🐟', count: 3 },
    ],
  },
  formattedPost(QUOTE, 'blockquote'),
  formattedPost(`${QUOTE} `.repeat(12), 'expandable_blockquote'),
  formattedPost(CODE, 'pre', { language: 'js' }),
  { text: `${QUOTE} `.repeat(40) },
  { reply: { id: 3, excerpt: 'An earlier post, of which this is the beginning' }, edited: 5000, pinned: true, author: 'Ida' },
  { forward: { name: 'Night Sky', channelId: '1000000005', messageId: 3 } },
  { forward: { name: null } },
  {
    text: '',
    poll: {
      question: 'Which boat should sail first?',
      closed: true,
      total: 81,
      options: [
        { text: 'Linnet', votes: 60, correct: true },
        { text: 'Wren', votes: 20 },
        { text: 'None of them, ever', votes: 1 },
      ],
    },
  },
  photoPost(['quay', 1600, 1000], ['hall', 1200, 1200], ['boat', 1000, 1400], ['tide', 1600, 900]),
  photoPost(['boat', 600, 1800]),
  {
    text: 'A picture under a spoiler',
    media: [{ type: 'photo', messageId: 1, src: '/hall.svg', width: 1200, height: 1200, spoiler: true }],
  },
  filePost('document', { name: 'a-timetable-with-a-rather-long-name-2027.pdf', mime: 'application/pdf', size: 2_400_000 }),
  filePost('audio', { title: 'The Ferry', performer: 'Low Quay Band', duration: 191, mime: 'audio/mpeg', size: 3_000_000 }),
  filePost('voice', { duration: 27, mime: 'audio/ogg' }),
  filePost('video', { width: 1280, height: 720, duration: 71, poster: { src: '/quay.svg', width: 1280, height: 720 } }),
  { text: '', media: [{ type: 'photo', messageId: 1, missing: 'not-included' }] },
  { text: '', place: { latitude: 54.1, longitude: 10.2, title: 'Fish Hall', address: '1 Low Quay' } },
  { text: '', contact: { name: 'Ida', phone: '+999 555 0142' } },
  { text: 'نص بالعربية مع Telegram في الوسط. 🐟' },
  { text: '', other: 'giveaway' },
  { text: '', service: { action: 'pinned', messageId: 3 } },
];
const { rich, 'rich to the left': richToTheLeft, ...rarePosts } = POST_KINDS;

/** Pictures of the demo network that the synthetic posts refer to. */
const PICTURES: Readonly<Record<string, string>> = {
  quay: 'ferry-quay.jpg',
  hall: 'lighthouse.jpg',
  boat: 'boats.jpg',
  tide: 'spring-tide.jpg',
};
const PICTURE_FOLDER = join(import.meta.dirname, '../../demo/harbour-gazette/photos');

/** Replaces the posts of a channel by posts with these fields, and opens it. */
async function showPosts(stage: Stage, variants: readonly Partial<Post>[]): Promise<void> {
  const now = Math.floor(Date.now() / 1000);
  await stage.modifyResponse(CHANNEL_POSTS, (body) => ({
    ...body,
    items: variants.map((variant, index) => ({ ...makePost(900 - index, now - index * 3600), ...variant })),
    next: null,
    previous: null,
  }));
  await stage.page.route(/\/(quay|hall|boat|tide)\.svg/, async (route) => {
    const name = /(\w+)\.svg/.exec(route.request().url())?.[1] ?? '';
    await route.fulfill({ contentType: 'image/jpeg', body: await readFile(join(PICTURE_FOLDER, PICTURES[name] ?? '')) });
  });
  await stage.open(GAZETTE, ARTICLE);
}

const makePost = (id: number, date: number): Post => ({
  channelId: '1000000001',
  id,
  date,
  text: 'The tide comes in and goes out again.',
  entities: [],
  media: [],
  reactions: [],
  link: `https://t.me/harbour_gazette_demo/${id}`,
});

export const POST_STATES: readonly State[] = [
  { name: 'posts-plain', height: 9000, reach: (stage) => showPosts(stage, COMMON_POSTS) },
  { name: 'posts-rich', height: 7000, reach: (stage) => showPosts(stage, [rich, richToTheLeft]) },
  { name: 'posts-rare', height: 9000, reach: (stage) => showPosts(stage, Object.values(rarePosts)) },
];
