import type { Poll, Post } from '../../../contract/post.ts';
import { voteCount } from '../../i18n/counts/votes.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../AnyIcon.tsx';
import { isRare, Kind } from '../parts.tsx';

/** What a post may carry beside text and files: a poll, or something rarer. */
export function Extras({ post }: { post: Post }) {
  return (
    <>
      {post.poll !== undefined && <PollCard poll={post.poll} />}
      {isRare(post) && <Kind>{(kinds) => <kinds.Cards post={post} />}</Kind>}
    </>
  );
}

function PollCard({ poll }: { poll: Poll }) {
  const m = useMsg();
  const total = poll.total ?? poll.options.reduce((sum, option) => sum + (option.votes ?? 0), 0);
  return (
    <section className="poll">
      <p className="poll-question" dir="auto">
        {poll.question}
      </p>
      <ul>
        {poll.options.map((option) => {
          const share = option.votes === undefined || total === 0 ? null : option.votes / total;
          return (
            <li key={option.text}>
              <span className="poll-share">{share === null ? '' : percent(m.tag(), share)}</span>
              <span dir="auto">
                {option.text}
                {option.correct === true && <AnyIcon name="done" small />}
                {option.correct === true && <span className="hidden">{m.msg('correct answer')}</span>}
              </span>
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" className="i flip">
                <rect width={Math.max((share ?? 0) * 100, 0.6)} height="1" />
              </svg>
            </li>
          );
        })}
      </ul>
      <p className="soft">{[voteCount(m, total), poll.closed ? m.msg('closed') : ''].filter(Boolean).join(' · ')}</p>
    </section>
  );
}

const percent = (tag: string, share: number): string => new Intl.NumberFormat(tag, { style: 'percent' }).format(share);
