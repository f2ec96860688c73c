import type { ReactNode } from 'react';
import { type Messages, str, useMsg } from '../../i18n/i18n.ts';
import { postPath } from '../../lib/links.ts';
import { GIFT_ICON } from '../icons/extra-icons.tsx';
import { PageLink } from '../Link.tsx';
import { starCount } from './format-price.ts';
import type { ExtraPropsOf } from './types.ts';

/** Active giveaway: renders the prizes, the number of winners, the end date and the channels. */
export function Giveaway({ extra, post, commonChunk }: ExtraPropsOf<'giveaway'>) {
  const messages = useMsg();
  const endDate = new Intl.DateTimeFormat(messages.localeTag(), { dateStyle: 'long' }).format(extra.until * 1000);
  const details = [winnersText(messages, extra.winners), messages.msg(str`until ${endDate}`)];
  return (
    <GiveawayBox title={messages.msg('A giveaway')} details={details} prize={extra}>
      {extra.channels.length > 0 && <NameList label={messages.msg('Channels to join:')} names={extra.channels} />}
      <commonChunk.OriginalLink link={post.link} />
    </GiveawayBox>
  );
}

/** Ended giveaway: renders the winners and the prizes. */
export function GiveawayOver({ extra, post, channel, linkContext, commonChunk }: ExtraPropsOf<'giveaway-over'>) {
  const messages = useMsg();
  const { unclaimed = 0 } = extra;
  const unclaimedText = unclaimed > 0 ? messages.msg(str`unclaimed: ${messages.number(unclaimed)}`) : '';
  const details = [winnersText(messages, extra.winners), unclaimedText];
  return (
    <GiveawayBox title={messages.msg('The giveaway is over')} details={details} prize={extra}>
      {extra.names.length > 0 && <NameList label={messages.msg('Winners:')} names={extra.names} />}
      {extra.postId === undefined ? (
        <commonChunk.OriginalLink link={post.link} />
      ) : (
        <PageLink linkContext={linkContext} path={postPath(channel, extra.postId)}>
          {messages.msg('Go to the announcement')}
        </PageLink>
      )}
    </GiveawayBox>
  );
}

const winnersText = (messages: Messages, count: number) =>
  messages.plural(count, messages.msg('one: # winner | other: # winners'));

interface GiveawayBoxProps {
  readonly title: string;
  readonly details: readonly string[];
  readonly prize: { readonly months?: number; readonly stars?: number; readonly prize?: string };
  readonly children: ReactNode;
}

function GiveawayBox({ title, details, prize, children }: GiveawayBoxProps) {
  const messages = useMsg();
  const prizeTexts = [
    prize.months === undefined
      ? ''
      : messages.plural(prize.months, messages.msg('one: # month of Telegram Premium | other: # months of Telegram Premium')),
    prize.stars === undefined ? '' : starCount(messages, prize.stars),
  ].filter(Boolean);
  return (
    <section className="framed giveaway">
      <span className="file-icon">{GIFT_ICON}</span>
      <p className="giveaway-title">{title}</p>
      {prizeTexts.length > 0 && <p>{prizeTexts.join(' · ')}</p>}
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
