/** Reactions and polls parser. */
import type { ReactionType } from '@grammyjs/types';
import type { Poll, Reaction } from '../../../../contract/post.ts';
import {
  countField,
  defined,
  digits,
  filledField,
  isRaw,
  listField,
  type Raw,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { type Bad, bad, readChatTold } from './chat.ts';
import { cut, MAX_TEXT_LENGTH } from './entities.ts';

/** All reactions to a message as of `at`, unix seconds. */
export interface ReactionsTold {
  readonly type: 'reactions';
  readonly channelId: string;
  readonly messageId: number;
  readonly at: number;
  readonly reactions: readonly Reaction[];
}

const MAX_REACTION_KINDS = 200;

type Face = Omit<Reaction, 'count'>;

/**
 * Parser of each kind of reaction. A new kind is a type error until it is added here. The update does not contain a custom
 * emoji's picture.
 */
const FACES: Readonly<Record<ReactionType['type'], (raw: Raw) => Face | null>> = {
  emoji: (raw) => {
    const emoji = filledField(raw, 'emoji');
    return emoji === undefined ? null : { emoji: cut(emoji, 32) };
  },
  custom_emoji: (raw) => {
    const emojiId = digits(raw.custom_emoji_id);
    return { emoji: '✨', ...(emojiId === undefined ? {} : { emojiId }) };
  },
  paid: () => ({ emoji: '⭐', paid: true }),
};

const isKnown = (type: string): type is ReactionType['type'] => Object.hasOwn(FACES, type);

/** Parses the emoji of a reaction. A reaction of an unknown kind is still counted. */
const readFace = (raw: unknown): Face | null => {
  const type = isRaw(raw) ? (filledField(raw, 'type') ?? '') : '';
  return isRaw(raw) && isKnown(type) ? FACES[type](raw) : { emoji: '✨' };
};

const readReaction = (raw: unknown): Reaction[] => {
  const count = isRaw(raw) ? countField(raw, 'total_count') : undefined;
  const face = isRaw(raw) && count ? readFace(raw.type) : null;
  return face && count ? [{ ...face, count }] : [];
};

/** Parses `message_reaction_count`. It always contains the complete list, so an empty one removes all reactions. */
export const readReactions = (raw: unknown): ReactionsTold | Bad => {
  const chat = isRaw(raw) ? readChatTold(raw.chat) : null;
  if (!isRaw(raw) || chat === null) return bad('its chat is no channel');
  const [messageId, at] = [countField(raw, 'message_id'), secondsField(raw, 'date')];
  if (!messageId) return bad('it has no message id');
  if (at === undefined) return bad('it has no date');
  const reactions = listField(raw, 'reactions').slice(0, MAX_REACTION_KINDS).flatMap(readReaction);
  return { type: 'reactions', channelId: chat.channelId, messageId, at, reactions };
};

const MAX_POLL_OPTIONS = 100;

const textOf = (raw: Raw, name: string): string => cut(filledField(raw, name) ?? '', MAX_TEXT_LENGTH);

/** Parses a poll. Before a poll is closed, a bot may receive zeros that are not real counts; those are omitted. */
export const readPoll = (raw: unknown): { readonly pollId: string; readonly poll: Poll } | null => {
  const pollId = isRaw(raw) ? filledField(raw, 'id') : undefined;
  if (!isRaw(raw) || pollId === undefined || pollId.length > 64) return null;
  const answers = listField(raw, 'options').slice(0, MAX_POLL_OPTIONS).filter(isRaw);
  const [closed, total] = [raw.is_closed === true, countField(raw, 'total_voter_count')];
  const counted = answers.some((answer) => countField(answer, 'voter_count')) || (closed && total === 0);
  const correct = new Set(listField(raw, 'correct_option_ids'));
  const options = answers.map((answer, at) =>
    defined<Poll['options'][number]>({
      text: textOf(answer, 'text'),
      votes: counted ? countField(answer, 'voter_count') : undefined,
      correct: correct.has(at) || undefined,
    }),
  );
  const poll = defined<Poll>({ question: textOf(raw, 'question'), closed, total: total || counted ? total : undefined, options });
  return { pollId, poll };
};

/** Parses the update that reports a closed poll to the bot. */
export const readPollUpdate = (raw: unknown): { readonly type: 'poll'; readonly pollId: string; readonly poll: Poll } | Bad => {
  const read = readPoll(raw);
  return read ? { type: 'poll', ...read } : bad('the poll has no id');
};
