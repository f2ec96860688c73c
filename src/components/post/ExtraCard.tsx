import type { ComponentProps } from 'react';
import type { Extra } from '../../../contract/extra.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { safeHref } from '../../lib/links.ts';
import { GAME, PRICE, STORY } from '../icons/extra-icons.tsx';
import { Kind } from '../lazy-chunks/lazy-chunks.tsx';
import type { Card as CardOfKinds } from './AttachmentCard.tsx';
import { Checklist } from './Checklist.tsx';
import { usePrice } from './format-price.ts';
import { Giveaway, GiveawayOver } from './Giveaway.tsx';
import { Paid } from './PaidMedia.tsx';
import type { ExtraOf } from './types.ts';

const Card = (props: ComponentProps<typeof CardOfKinds>) => <Kind>{(kinds) => <kinds.Card {...props} />}</Kind>;

/** Extra card: renders the special content below a post's text, by its type. */
export function ExtraCard({ extra, ...props }: ExtraOf<Exclude<Extra['type'], 'rich'>>) {
  const { link } = props.post;
  switch (extra.type) {
    case 'checklist':
      return <Checklist {...props} extra={extra} />;
    case 'dice':
      return <Dice emoji={extra.emoji} value={extra.value} />;
    case 'giveaway':
      return <Giveaway {...props} extra={extra} />;
    case 'giveaway-over':
      return <GiveawayOver {...props} extra={extra} />;
    case 'story':
      return <Story name={extra.name} url={extra.url} link={link} />;
    case 'paid':
      return <Paid {...props} extra={extra} />;
    case 'invoice':
      return <Invoice {...props} extra={extra} />;
    case 'game':
      return <Game title={extra.title} about={extra.about} link={link} />;
    case 'unknown':
      return <Unsupported name={extra.name} link={link} />;
  }
}

function Dice({ emoji, value }: { readonly emoji: string; readonly value: number }) {
  const m = useMsg();
  return (
    <p className="dice">
      <span>{emoji}</span>
      <small>{m.msg(str`It came to ${m.number(value)}`)}</small>
    </p>
  );
}

interface Linked {
  /** URL of the post at its source. */
  readonly link: string | undefined;
}

function Story({ name, url, link }: Linked & { readonly name: string; readonly url: string | undefined }) {
  const { msg } = useMsg();
  const address = url === undefined ? null : safeHref(url);
  return <Card icon={STORY} title={msg('A story')} note={name} link={address ?? link} />;
}

function Invoice({ extra, post }: ExtraOf<'invoice'>) {
  const price = usePrice(extra.amount, extra.currency);
  return <Card icon={PRICE} title={extra.title} note={[price, extra.about].filter(Boolean).join(' · ')} link={post.link} />;
}

function Game({ title, about, link }: Linked & { readonly title: string; readonly about: string }) {
  const { msg } = useMsg();
  return <Card icon={GAME} title={title} note={[msg('Game'), about].filter(Boolean).join(' · ')} link={link} />;
}

/** Renders content of a type that this program does not support: the source's name for it, and a link to it. */
export function Unsupported({ name, link }: Linked & { readonly name: string }) {
  const { msg } = useMsg();
  return <Card icon="info" title={msg('Not supported yet')} note={name} link={link} />;
}
