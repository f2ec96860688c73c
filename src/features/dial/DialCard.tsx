import type { RefObject } from 'react';
import { Avatar, hueClass } from '../../components/Avatar.tsx';
import { unreadText } from '../../components/UnreadCount.tsx';
import { useServices } from '../../context/services.ts';
import type { LineupRow } from '../../data/model/types.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { channelPath, internalLink } from '../../lib/links.ts';
import { LatestPosts, useClientNow } from './LatestPosts.tsx';
import type { DialController } from './use-dial.ts';
import { useSwipe } from './use-swipe.ts';
import { useWheel } from './use-wheel.ts';

interface DialCardProps {
  readonly row: LineupRow;
  readonly total: number;
  readonly direction: DialController['direction'];
  /** Digits typed so far; shown instead of the number. */
  readonly typed: string;
  readonly flip: (by: 1 | -1) => void;
  readonly card: RefObject<HTMLElement | null>;
}

/** Dial card: the active channel with its number in large light digits, its name, its picture and its latest posts. */
export function DialCard({ row, total, direction, typed, flip, card }: DialCardProps) {
  const m = useMsg();
  const { environment } = useServices();
  const swipe = useSwipe(card, flip, m.dir);
  useWheel(card, flip, m.dir);
  const now = useClientNow();
  const { channel } = row;
  return (
    <section ref={card} className={`card ${hueClass(channel.id)}`} aria-labelledby="on-now" {...swipe}>
      <div key={channel.id} className={direction === null ? 'card-page' : `card-page flip-${direction}`}>
        <div className="card-head">
          <p className="card-number">
            <BigNumber number={row.number ?? 0} typed={typed} />
            <small>
              {row.unread > 0 && <b>{unreadText(m, row.unread)}</b>} {m.msg(str`of ${m.number(total)}`)}
            </small>
          </p>
          <Avatar channel={channel} base={environment.baseUrl} size="l" />
        </div>
        <h2 id="on-now">
          <a {...internalLink(environment, channelPath(channel))}>
            <bdi>{channel.title}</bdi>
          </a>
        </h2>
        <p className="card-about" dir="auto">
          {channel.about}
        </p>
        <LatestPosts channel={channel} now={now} />
      </div>
    </section>
  );
}

/** Number in the digits of the reader's language, with at least two digits. */
function BigNumber({ number, typed }: { readonly number: number; readonly typed: string }) {
  const m = useMsg();
  const digits = [...(typed || String(number).padStart(2, '0'))].map((digit) => m.number(Number(digit)));
  return <span className={typed === '' ? undefined : 'typing'}>{digits.join('')}</span>;
}
