import type { Poll, Post, Venue } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../icons/AnyIcon.tsx';
import { ExternalLink } from '../Link.tsx';
import { AttachmentCard } from './AttachmentCard.tsx';

/**
 * Post details: content in addition to text and files: a poll, a venue, a contact, content that we can only name, and the notice
 * that the post was deleted.
 */
export function PostDetails({ post }: { post: Post }) {
  return (
    <>
      {post.poll !== undefined && <PollCard poll={post.poll} />}
      {post.place !== undefined && <VenueCard venue={post.place} />}
      {post.contact !== undefined && <ContactCard contact={post.contact} />}
      {post.other !== undefined && <UnsupportedContentCard other={post.other} link={post.link} />}
      {post.gone !== undefined && <DeletedNotice gone={post.gone} />}
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
        {poll.options.map((option, index) => {
          const share = option.votes === undefined || total === 0 ? null : option.votes / total;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: answers may be the same and never change places
            <li key={index}>
              <span className="poll-share">{share === null ? '' : formatPercent(m.localeTag(), share)}</span>
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
      {/* Telegram does not report the votes of an open poll. "0 votes" would be a false statement. */}
      {(total > 0 || poll.closed) && (
        <p className="soft">
          {[m.plural(total, m.msg('one: # vote | other: # votes')), poll.closed ? m.msg('closed') : '']
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </section>
  );
}

const formatPercent = (tag: string, share: number): string => new Intl.NumberFormat(tag, { style: 'percent' }).format(share);

/** Venue, with a link to a map. */
export function VenueCard({ venue }: { readonly venue: Venue }) {
  const { msg } = useMsg();
  const { latitude, longitude } = venue;
  const coordinates = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <AttachmentCard icon={<AnyIcon name="place" />} title={venue.title ?? msg('Place')} note={venue.address ?? coordinates}>
      <ExternalLink href={map}>{msg('Show on the map')}</ExternalLink>
    </AttachmentCard>
  );
}

function ContactCard({ contact }: { readonly contact: NonNullable<Post['contact']> }) {
  const { msg } = useMsg();
  return (
    <AttachmentCard icon="person" title={contact.name} note={msg('Contact')}>
      {contact.phone !== undefined && (
        <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} dir="ltr">
          {contact.phone}
        </a>
      )}
    </AttachmentCard>
  );
}

function UnsupportedContentCard({ other, link }: { readonly other: string; readonly link: string | undefined }) {
  const { msg } = useMsg();
  const unsupported = msg('Something this page cannot show');
  const names: Readonly<Record<string, string>> = {
    giveaway: msg('A giveaway'),
    story: msg('A story'),
    checklist: msg('A checklist'),
    paid_media: msg('Paid media'),
    unsupported,
  };
  const name = Object.hasOwn(names, other) ? names[other] : undefined;
  return <AttachmentCard icon="info" title={name ?? unsupported} note={name === undefined ? other : ''} link={link} />;
}

/** Notice that the post was deleted at its source and is still stored here. */
function DeletedNotice({ gone }: { readonly gone: number }) {
  const { msg, localeTag } = useMsg();
  const date = new Intl.DateTimeFormat(localeTag(), { dateStyle: 'long' }).format(gone * 1000);
  return <p className="soft gone">{msg(str`Deleted at its source, ${date}`)}</p>;
}
