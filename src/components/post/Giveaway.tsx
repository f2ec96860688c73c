import type { ReactNode } from 'react';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { postPath } from '../../lib/links.ts';
import { GIFT_ICON } from '../icons/extra-icons.tsx';
import { PageLink } from '../Link.tsx';
import { starCount } from './format-price.ts';
import type { ExtraPropsOf } from './types.ts';

/** Active giveaway: the prizes, the number of winners, the end date and the channels. */
export function Giveaway({ extra, post, commonChunk }: ExtraPropsOf<'giveaway'>) {
  const m = useMsg();
  const until = new Intl.DateTimeFormat(m.localeTag(), { dateStyle: 'long' }).format(extra.until * 1000);
  return (
    <GiveawayBox title={m.msg('A giveaway')} details={[winnersText(m, extra.winners), m.msg(str`until ${until}`)]} prize={extra}>
      {extra.channels.length > 0 && <NameList label={m.msg('Channels to join:')} names={extra.channels} />}
      <commonChunk.OriginalLink link={post.link} />
    </GiveawayBox>
  );
}

/** Ended giveaway: the winners. */
export function GiveawayOver({ extra, post, channel, linkContext, commonChunk }: ExtraPropsOf<'giveaway-over'>) {
  const m = useMsg();
  const { unclaimed = 0 } = extra;
  const details = [winnersText(m, extra.winners), unclaimed > 0 ? m.msg(str`unclaimed: ${m.number(unclaimed)}`) : ''];
  return (
    <GiveawayBox title={m.msg('The giveaway is over')} details={details} prize={extra}>
      {extra.names.length > 0 && <NameList label={m.msg('Winners:')} names={extra.names} />}
      {extra.postId === undefined ? (
        <commonChunk.OriginalLink link={post.link} />
      ) : (
        <PageLink linkContext={linkContext} path={postPath(channel, extra.postId)}>
          {m.msg('Go to the announcement')}
        </PageLink>
      )}
    </GiveawayBox>
  );
}

const winnersText = (m: Messages, count: number) => m.plural(count, m.msg('one: # winner | other: # winners'));

interface GiveawayBoxProps {
  readonly title: string;
  readonly details: readonly string[];
  readonly prize: { readonly months?: number; readonly stars?: number; readonly prize?: string };
  readonly children: ReactNode;
}

function GiveawayBox({ title, details, prize, children }: GiveawayBoxProps) {
  const m = useMsg();
  const prizes = [
    prize.months === undefined
      ? ''
      : m.plural(prize.months, m.msg('one: # month of Telegram Premium | other: # months of Telegram Premium')),
    prize.stars === undefined ? '' : starCount(m, prize.stars),
  ].filter(Boolean);
  return (
    <section className="framed giveaway">
      <span className="file-icon">{GIFT_ICON}</span>
      <p className="giveaway-title">{title}</p>
      {prizes.length > 0 && <p>{prizes.join(' · ')}</p>}
      {prize.prize !== undefined && <p dir="auto">{prize.prize}</p>}
      <p className="soft">{details.filter(Boolean).join(' · ')}</p>
      {children}
    </section>
  );
}

function NameList({ label, names }: { readonly label: string; readonly names: readonly string[] }) {
  return (
    <div className="names">
      <p className="soft">{label}</p>
      <ul>
        {names.map((name, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two winners may have the same name
          <li key={index}>
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}
