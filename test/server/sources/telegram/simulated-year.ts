// Simulated year of three channels: the bot updates for crash and processing tests.

import type { ReactionType } from '@grammyjs/types';
import type { BotApi } from '../../../bot-api/bot-api.ts';
import type { Channel } from '../../../bot-api/channel.ts';
import { seeded } from '../../../bot-api/mixing.ts';
import type { Sample } from '../../../bot-api/samples.ts';
import type { UpdateContent } from '../../../bot-api/updates.ts';
import type { Content } from '../../../bot-api/world.ts';

const thumb: ReactionType = { type: 'emoji', emoji: '👍' };

/** Every kind of content that a channel can post. */
const kinds = (make: BotApi['make']): (() => Content)[] => [
  () => make.text('Fog over the harbour', [{ type: 'bold', offset: 0, length: 3 }]),
  () => make.photo('Fog'),
  () => make.video('The ferry'),
  () => make.hugeVideo('All of the storm'),
  make.animation,
  make.audio,
  make.document,
  make.voice,
  make.videoNote,
  make.sticker,
  make.animatedSticker,
  make.videoSticker,
  make.livePhoto,
  make.paidMedia,
  () => make.poll('Which pier?', ['East', 'West']),
  make.quiz,
  make.location,
  make.venue,
  make.contact,
  make.dice,
  make.checklist,
  make.giveaway,
  make.story,
  make.invoice,
  make.game,
  () => make.rich(),
  make.unheardOf,
];

/**
 * Simulates a year of three channels. Returns the updates that Telegram would send to a bot, in order, at least `least` of
 * them.
 * The updates contain every kind of post, albums, edits, reactions, polls that close, pins, gaps, new names and pictures, and
 * the removal and return of the bot.
 * Nothing is sent yet. Every event has a second of its own, because Telegram orders edits by the second.
 */
export function simulateYear(telegram: BotApi, photos: readonly (readonly Sample[])[], least: number): readonly UpdateContent[] {
  const { make, operator } = telegram;
  const random = seeded(11);
  const pick = <Item>(items: readonly Item[]): Item | undefined => items[Math.floor(random() * items.length)];
  let second = 1_760_000_000;
  const tick = () => ++second;
  telegram.setClock(tick);
  telegram.updates.hold();
  const channels = [
    telegram.channel({ title: 'Town', username: 'town_square', others: 40 }),
    telegram.channel({ title: 'Closed circle', others: 3 }),
    telegram.channel({ title: 'Not accepted', username: 'stranger_things', owner: telegram.user(99, 'Sam') }),
  ];
  for (const channel of channels) channel.addBot([...channel.members.values()][0]?.user ?? operator);
  const posted = new Map<Channel, number[]>(channels.map((channel) => [channel, []]));
  const every = kinds(make);
  let kindIndex = 0;
  const post = (channel: Channel) => {
    const content = every[kindIndex++ % every.length]?.() ?? {};
    const { message_id, poll } = channel.post(content);
    posted.get(channel)?.push(message_id);
    if (poll && random() < 0.5) channel.closePoll(message_id, [3, 4]);
  };
  const some = (channel: Channel): number => pick(posted.get(channel) ?? []) ?? 0;
  const actions: ((channel: Channel) => void)[] = [
    ...Array.from({ length: 9 }, () => post),
    (channel) => channel.edit(some(channel), make.text(`Edited at ${second}`)),
    (channel) => channel.edit(some(channel), make.text(`Edited at ${second}`)),
    (channel) => channel.react(some(channel), [{ type: thumb, total_count: Math.ceil(random() * 90) }], tick()),
    (channel) => channel.react(some(channel), random() < 0.3 ? [] : [{ type: thumb, total_count: 7 }], tick()),
    (channel) => void channel.album([make.photo('Three of them'), make.photo(), make.video()]),
    (channel) => channel.skip(2),
    (channel) => channel.pin(some(channel)),
    (channel) => channel.join(telegram.user(200 + kindIndex, 'Reader')),
  ];
  const rare: ((channel: Channel) => void)[] = [
    (channel) => channel.rename(`${channel.title}!`),
    (channel) => channel.setPhoto(pick(photos) ?? []),
    (channel) => channel.removePhoto(),
    (channel) => {
      channel.removeBot(operator);
      channel.skip(3);
      channel.addBot(operator);
    },
  ];
  for (const channel of channels) for (let at = 0; at < every.length; at++) post(channel);
  let updates: readonly UpdateContent[] = [];
  const count = () => channels.reduce((sum, { messages }) => sum + messages.size, 0);
  for (let at = 0; count() < least; at++) {
    const channel = pick(channels);
    const action = at % 40 === 39 ? pick(channel === channels[2] ? rare.slice(0, 3) : rare) : pick(actions);
    if (channel && action) action(channel);
  }
  telegram.updates.release((pending) => {
    updates = pending;
    return [];
  });
  return updates;
}
