/** Reactions and polls parser: reaction counts and poll states of the Bot API. */
import type { ReactionType } from '@grammyjs/types';
import type { Poll, Reaction } from '../../../../contract/post.ts';
import {
  countField,
  isRawObject,
  listField,
  nonEmptyTextField,
  omitUndefined,
  parseDigits,
  type RawObject,
  secondsField,
} from '../../../lib/unknown-fields.ts';
import { type ParseFailure, parseChatSummary, parseFailure } from './chat.ts';
import { MAX_TEXT_LENGTH, truncateText } from './entities.ts';

/** All reactions to a message as of `at`, unix seconds. */
export interface ParsedReactions {
  readonly type: 'reactions';
  readonly channelId: string;
  readonly messageId: number;
  readonly at: number;
  readonly reactions: readonly Reaction[];
}

const MAX_REACTION_KINDS = 200;
const MAX_EMOJI_LENGTH = 32;

type ReactionKind = Omit<Reaction, 'count'>;

/**
 * Parser of each kind of reaction. A new kind is a type error until it is added here. The update does not contain a
 * custom emoji's picture.
 */
const REACTION_PARSERS: Readonly<Record<ReactionType['type'], (raw: RawObject) => ReactionKind | null>> = {
  emoji: (raw) => {
    const emoji = nonEmptyTextField(raw, 'emoji');
    return emoji === undefined ? null : { emoji: truncateText(emoji, MAX_EMOJI_LENGTH) };
  },
  custom_emoji: (raw) => {
    const emojiId = parseDigits(raw.custom_emoji_id);
    return { emoji: '✨', ...(emojiId === undefined ? {} : { emojiId }) };
  },
  paid: () => ({ emoji: '⭐', paid: true }),
};

const isKnown = (type: string): type is ReactionType['type'] => Object.hasOwn(REACTION_PARSERS, type);

/** Parses the emoji of a reaction. A reaction of an unknown kind is still counted. */
const parseReactionKind = (raw: unknown): ReactionKind | null => {
  const type = isRawObject(raw) ? (nonEmptyTextField(raw, 'type') ?? '') : '';
  return isRawObject(raw) && isKnown(type) ? REACTION_PARSERS[type](raw) : { emoji: '✨' };
};

const parseReaction = (raw: unknown): Reaction[] => {
  const count = isRawObject(raw) ? countField(raw, 'total_count') : undefined;
  const reaction = isRawObject(raw) && count ? parseReactionKind(raw.type) : null;
  return reaction && count ? [{ ...reaction, count }] : [];
};

/** Parses `message_reaction_count`. It always contains the complete list, so an empty one removes all reactions. */
export const parseReactions = (raw: unknown): ParsedReactions | ParseFailure => {
  const chat = isRawObject(raw) ? parseChatSummary(raw.chat) : null;
  if (!isRawObject(raw) || chat === null) return parseFailure('its chat is not a channel');
  const [messageId, at] = [countField(raw, 'message_id'), secondsField(raw, 'date')];
  if (!messageId) return parseFailure('it has no message id');
  if (at === undefined) return parseFailure('it has no date');
  const reactions = listField(raw, 'reactions').slice(0, MAX_REACTION_KINDS).flatMap(parseReaction);
  return { type: 'reactions', channelId: chat.channelId, messageId, at, reactions };
};

const MAX_POLL_OPTIONS = 100;
const MAX_POLL_ID_LENGTH = 64;

const textOf = (raw: RawObject, name: string): string => truncateText(nonEmptyTextField(raw, name) ?? '', MAX_TEXT_LENGTH);

/** Parses a poll. Before a poll is closed, a bot may receive zeros that are not real counts; those are omitted. */
export const parsePoll = (raw: unknown): { readonly pollId: string; readonly poll: Poll } | null => {
  const pollId = isRawObject(raw) ? nonEmptyTextField(raw, 'id') : undefined;
  if (!isRawObject(raw) || pollId === undefined || pollId.length > MAX_POLL_ID_LENGTH) return null;
  const rawOptions = listField(raw, 'options').slice(0, MAX_POLL_OPTIONS).filter(isRawObject);
  const [closed, total] = [raw.is_closed === true, countField(raw, 'total_voter_count')];
  const hasRealCounts = rawOptions.some((option) => countField(option, 'voter_count')) || (closed && total === 0);
  const correctIndexes = new Set(listField(raw, 'correct_option_ids'));
  const options = rawOptions.map((option, index) =>
    omitUndefined<Poll['options'][number]>({
      text: textOf(option, 'text'),
      votes: hasRealCounts ? countField(option, 'voter_count') : undefined,
      correct: correctIndexes.has(index) || undefined,
    }),
  );
  const poll = omitUndefined<Poll>({
    question: textOf(raw, 'question'),
    closed,
    total: total || hasRealCounts ? total : undefined,
    options,
  });
  return { pollId, poll };
};

/** Parses the update that reports a closed poll to the bot. */
export const parsePollUpdate = (
  raw: unknown,
): { readonly type: 'poll'; readonly pollId: string; readonly poll: Poll } | ParseFailure => {
  const parsed = parsePoll(raw);
  return parsed ? { type: 'poll', ...parsed } : parseFailure('the poll has no id');
};
