import type { Poll, Post } from '../../../contract/post.ts';
import { voteCount } from '../../i18n/counts/votes.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../AnyIcon.tsx';
import { Out } from '../Link.tsx';
import { FileCard } from '../media/FileCard.tsx';
import { OriginalLink } from '../media/Missing.tsx';

/** What a post may carry beside text and files: a poll, a place, a contact, or something that we can only name. */
export function Extras({ post }: { post: Post }) {
  return (
    <>
      {post.poll !== undefined && <PollCard poll={post.poll} />}
      {post.place !== undefined && <PlaceCard place={post.place} />}
      {post.contact !== undefined && <ContactCard contact={post.contact} />}
      {post.other !== undefined && <OtherCard other={post.other} link={post.link} />}
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

function PlaceCard({ place }: { place: NonNullable<Post['place']> }) {
  const { msg } = useMsg();
  const { latitude, longitude } = place;
  const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <FileCard icon="place" title={place.title ?? msg('Place')} note={place.address ?? at}>
      <Out href={map}>{msg('Show on the map')}</Out>
    </FileCard>
  );
}

function ContactCard({ contact }: { contact: NonNullable<Post['contact']> }) {
  const { msg } = useMsg();
  return (
    <FileCard icon="person" title={contact.name} note={msg('Contact')}>
      {contact.phone !== undefined && (
        <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} dir="ltr">
          {contact.phone}
        </a>
      )}
    </FileCard>
  );
}

function OtherCard({ other, link }: { other: string; link: string | undefined }) {
  const { msg } = useMsg();
  const unsupported = msg('Something this page cannot show');
  const names: Readonly<Record<string, string>> = {
    giveaway: msg('A giveaway'),
    story: msg('A story'),
    checklist: msg('A checklist'),
    paid_media: msg('Paid media'),
    unsupported,
  };
  const name = names[other];
  return (
    <FileCard icon="info" title={name ?? unsupported} note={name ? '' : other}>
      <OriginalLink link={link} />
    </FileCard>
  );
}
