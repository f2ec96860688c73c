// Contents of posts for the Bot API double: one function for every kind of post.

import type { Message, MessageEntity, PhotoSize, RichBlock, Sticker, Video } from '@grammyjs/types';
import { type FileFields, type Files, MAX_DOWNLOAD_BYTES } from './files.ts';
import type { Samples } from './samples.ts';
import type { Content } from './world.ts';

const captioned = (caption?: string): Content => (caption === undefined ? {} : { caption });

/** Creates the contents that a channel may post, one function for each kind. Their files can really be downloaded. */
export const makeContents = (files: Files, samples: Samples) => {
  let counter = 0;
  const photoSizes = (): PhotoSize[] => files.photo(samples.photos[counter++ % samples.photos.length] ?? []);
  const thumbnail = (): { thumbnail: PhotoSize } | object => {
    const [size] = files.photo(samples.poster.slice(1, 2));
    return size ? { thumbnail: size } : {};
  };
  const video = (file: FileFields): Video => ({
    ...file,
    ...thumbnail(),
    width: 320,
    height: 180,
    duration: 4,
    mime_type: 'video/mp4',
    file_name: 'ferry.mp4',
  });
  const sticker = (bytes: Buffer, extension: string, more: Partial<Sticker> = {}): Content => ({
    sticker: {
      ...files.add(bytes, extension),
      ...thumbnail(),
      type: 'regular',
      width: 512,
      height: 512,
      is_animated: false,
      is_video: false,
      emoji: '⛴',
      set_name: 'HarbourLife',
      ...more,
    },
  });
  const poll = (question: string, options: readonly string[], more: Partial<NonNullable<Message['poll']>> = {}): Content => ({
    poll: {
      id: String(5_300_000_000_000_000 + counter++),
      question,
      options: options.map((text, index) => ({ persistent_id: String(index), text, voter_count: 0 })),
      total_voter_count: 0,
      is_closed: false,
      is_anonymous: true,
      type: 'regular',
      allows_multiple_answers: false,
      allows_revoting: true,
      members_only: false,
      ...more,
    },
  });
  const location = { latitude: 43.2951, longitude: 5.3742 };
  return {
    text: (text: string, entities?: MessageEntity[]): Content => ({ text, ...(entities ? { entities } : {}) }),
    photo: (caption?: string): Content => ({ photo: photoSizes(), ...captioned(caption) }),
    video: (caption?: string): Content => ({ video: video(files.add(samples.video, 'mp4')), ...captioned(caption) }),
    /** A video that no bot may download. */
    hugeVideo: (caption?: string): Content => ({
      video: video(files.addHuge(MAX_DOWNLOAD_BYTES * 3, 'mp4')),
      ...captioned(caption),
    }),
    /** An animation as Telegram sends it: a second time as a document. */
    animation: (caption?: string): Content => {
      const { duration, width, height, ...file } = video(files.add(samples.clip, 'mp4'));
      return { animation: { ...file, duration, width, height }, document: file, ...captioned(caption) };
    },
    audio: (caption?: string): Content => ({
      audio: {
        ...files.add(samples.audio, 'mp3'),
        duration: 2,
        performer: 'Orchard Choir',
        title: 'One chord',
        mime_type: 'audio/mpeg',
        file_name: 'one-chord.mp3',
      },
      ...captioned(caption),
    }),
    document: (caption?: string): Content => ({
      document: { ...files.add(samples.document, 'pdf'), file_name: 'evening-scholarship.pdf', mime_type: 'application/pdf' },
      ...captioned(caption),
    }),
    voice: (caption?: string): Content => ({
      voice: { ...files.add(samples.voice, 'ogg'), duration: 3, mime_type: 'audio/ogg' },
      ...captioned(caption),
    }),
    videoNote: (): Content => ({ video_note: { ...files.add(samples.clip, 'mp4'), ...thumbnail(), length: 240, duration: 3 } }),
    sticker: () => sticker(samples.sticker, 'webp'),
    animatedSticker: () => sticker(samples.stickerAnimation, 'tgs', { is_animated: true }),
    videoSticker: () => sticker(samples.stickerVideo, 'webm', { is_video: true }),
    livePhoto: (caption?: string): Content => ({
      live_photo: {
        ...files.add(samples.clip, 'mp4'),
        photo: photoSizes(),
        width: 320,
        height: 200,
        duration: 2,
        mime_type: 'video/mp4',
      },
      ...captioned(caption),
    }),
    paidMedia: (caption?: string): Content => ({
      paid_media: {
        star_count: 25,
        paid_media: [
          { type: 'photo', photo: photoSizes() },
          { type: 'preview', width: 640, height: 480, duration: 9 },
        ],
      },
      ...captioned(caption),
    }),
    poll,
    quiz: (): Content =>
      poll('Which pier is the oldest?', ['East', 'West'], { type: 'quiz', correct_option_ids: [1], explanation: 'West, 1871.' }),
    location: (): Content => ({ location }),
    venue: (): Content => ({ location, venue: { location, title: 'Old Quay', address: 'Low Quay 1' } }),
    contact: (): Content => ({ contact: { phone_number: '+33491000000', first_name: 'Harbour', last_name: 'Office' } }),
    dice: (): Content => ({ dice: { emoji: '🎲', value: 4 } }),
    checklist: (): Content => ({
      checklist: {
        title: 'Before the storm',
        title_entities: [{ type: 'bold', offset: 0, length: 6 }],
        tasks: [
          { id: 1, text: 'Ropes', completion_date: 1_767_225_600 },
          { id: 2, text: 'Lamps', text_entities: [{ type: 'italic', offset: 0, length: 5 }] },
        ],
      },
    }),
    giveaway: (): Content => ({
      giveaway: {
        chats: [],
        winners_selection_date: 1_800_000_000,
        winner_count: 3,
        premium_subscription_month_count: 6,
        prize_description: 'a boat trip',
      },
    }),
    story: (): Content => ({
      story: { chat: { id: -1_001_555_000_111, type: 'channel', title: 'Tram 5', username: 'tram_five' }, id: 12 },
    }),
    invoice: (): Content => ({
      invoice: {
        title: 'Ferry pass',
        description: 'A month of crossings',
        start_parameter: 'pass',
        currency: 'EUR',
        total_amount: 2450,
      },
    }),
    game: (): Content => ({
      game: {
        title: 'Lighthouse',
        description: 'Keep the lamp lit',
        photo: photoSizes(),
        text: '',
        text_entities: [],
        animation: { ...files.add(samples.clip, 'mp4'), width: 320, height: 200, duration: 3 },
      },
    }),
    rich: (blocks: RichBlock[] = richBlocks(photoSizes(), video(files.add(samples.video, 'mp4')))): Content => ({
      rich_message: { blocks },
    }),
    /** A kind that did not exist when this was written. */
    unheardOf: (): Content => {
      const content: Content & { readonly hologram: object } = { hologram: { file_id: 'AgHOLO', words: 'seen from every side' } };
      return content;
    },
  };
};

const richBlocks = (photo: PhotoSize[], video: Video): RichBlock[] => [
  { type: 'heading', size: 1, text: 'Night ferries' },
  {
    type: 'paragraph',
    text: ['The ', { type: 'bold', text: 'last boat' }, ' leaves at ', { type: 'marked', text: '01:20' }, '.'],
  },
  { type: 'photo', photo, caption: { text: 'The quay at dawn', credit: 'A. Marin' } },
  { type: 'slideshow', blocks: [{ type: 'video', video }] },
  {
    type: 'list',
    items: [
      { label: '1.', blocks: [{ type: 'paragraph', text: 'East pier' }] },
      { label: '2.', blocks: [{ type: 'paragraph', text: 'West pier' }], has_checkbox: true, is_checked: true },
    ],
  },
  {
    type: 'table',
    cells: [
      [
        { text: 'Pier', is_header: true, align: 'left', valign: 'top' },
        { text: 'Minutes', is_header: true, align: 'right', valign: 'top' },
      ],
    ],
  },
  { type: 'buttons', buttons: [{ text: 'Timetable', url: 'https://ferries.example/night' }] },
];

export type Contents = ReturnType<typeof makeContents>;
