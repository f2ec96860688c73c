import type { Poll } from '../../../contract/post.ts';
import { countField, defined, filledField, isRaw, listField, type Raw } from '../../lib/unknown-fields.ts';
import { type Bad, bad } from '../telegram/parse/chat.ts';
import { cut, MOST_LETTERS } from '../telegram/parse/entities.ts';

const MOST_OPTIONS = 100;

const textOf = (raw: Raw, name: string): string => cut(filledField(raw, name) ?? '', MOST_LETTERS);

/** Reads a poll. Before a poll is closed a bot may be given zeros that count nothing: those are left out. */
export const readPoll = (raw: unknown): { readonly pollId: string; readonly poll: Poll } | null => {
  const pollId = isRaw(raw) ? filledField(raw, 'id') : undefined;
  if (!isRaw(raw) || pollId === undefined || pollId.length > 64) return null;
  const answers = listField(raw, 'options').slice(0, MOST_OPTIONS).filter(isRaw);
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

/** Reads the update by which a bot is told that a poll was closed. */
export const readPollUpdate = (raw: unknown): { readonly type: 'poll'; readonly pollId: string; readonly poll: Poll } | Bad => {
  const read = readPoll(raw);
  return read ? { type: 'poll', ...read } : bad('the poll has no id');
};
