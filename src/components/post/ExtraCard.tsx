import type { ComponentProps } from 'react';
import type { PostExtra } from '../../../contract/extra.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { safeHref } from '../../lib/links.ts';
import { GAME_ICON, PRICE_ICON, STORY_ICON } from '../icons/extra-icons.tsx';
import { RareChunk } from '../lazy-chunks/lazy-chunks.tsx';
import type { AttachmentCard } from './AttachmentCard.tsx';
import { Checklist } from './Checklist.tsx';
import { usePrice } from './format-price.ts';
import { Giveaway, GiveawayOver } from './Giveaway.tsx';
import { PaidMedia } from './PaidMedia.tsx';
import type { ExtraPropsOf } from './types.ts';

const LazyAttachmentCard = (props: ComponentProps<typeof AttachmentCard>) => (
  <RareChunk>{(chunk) => <chunk.AttachmentCard {...props} />}</RareChunk>
);

/** Extra card: renders the special content below a post's text, by its type. */
export function ExtraCard({ extra, ...props }: ExtraPropsOf<Exclude<PostExtra['type'], 'rich'>>) {
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
      return <PaidMedia {...props} extra={extra} />;
    case 'invoice':
      return <Invoice {...props} extra={extra} />;
    case 'game':
      return <Game title={extra.title} about={extra.about} link={link} />;
    case 'unknown':
      return <Unsupported name={extra.name} link={link} />;
  }
}

function Dice({ emoji, value }: { readonly emoji: string; readonly value: number }) {
  const messages = useMsg();
  return (
    <p className="dice">
      <span>{emoji}</span>
      <small>{messages.msg(str`Result: ${messages.number(value)}`)}</small>
    </p>
  );
}

interface LinkedProps {
  /** URL of the post at its source. */
  readonly link: string | undefined;
}

function Story({ name, url, link }: LinkedProps & { readonly name: string; readonly url: string | undefined }) {
  const { msg } = useMsg();
  const safeUrl = url === undefined ? null : safeHref(url);
  return <LazyAttachmentCard icon={STORY_ICON} title={msg('A story')} details={name} link={safeUrl ?? link} />;
}

function Invoice({ extra, post }: ExtraPropsOf<'invoice'>) {
  const price = usePrice(extra.amount, extra.currency);
  return (
    <LazyAttachmentCard
      icon={PRICE_ICON}
      title={extra.title}
      details={[price, extra.about].filter(Boolean).join(' · ')}
      link={post.link}
    />
  );
}

function Game({ title, about, link }: LinkedProps & { readonly title: string; readonly about: string }) {
  const { msg } = useMsg();
  return (
    <LazyAttachmentCard icon={GAME_ICON} title={title} details={[msg('Game'), about].filter(Boolean).join(' · ')} link={link} />
  );
}

/** Renders content of an unsupported type: the name that the source has for it, and a link to it. */
export function Unsupported({ name, link }: LinkedProps & { readonly name: string }) {
  const { msg } = useMsg();
  return <LazyAttachmentCard icon="info" title={msg('Not supported yet')} details={name} link={link} />;
}
