import type { Poll, Post, Venue } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { AnyIcon } from '../icons/AnyIcon.tsx';
import { ExternalLink } from '../Link.tsx';
import { AttachmentCard } from './AttachmentCard.tsx';

/**
 * Post details: content in addition to text and files: a poll, a venue, a contact, content of a type that is not
 * supported, and the notice that the post was deleted.
 */
export function PostDetails({ post }: { post: Post }) {
  return (
    <>
      {post.poll !== undefined && <PollCard poll={post.poll} />}
      {post.place !== undefined && <VenueCard venue={post.place} />}
      {post.contact !== undefined && <ContactCard contact={post.contact} />}
      {post.other !== undefined && <UnsupportedContentCard contentType={post.other} link={post.link} />}
      {post.gone !== undefined && <DeletedNotice deletedAt={post.gone} />}
    </>
  );
}

function PollCard({ poll }: { poll: Poll }) {
  const messages = useMsg();
  const totalVotes = poll.total ?? poll.options.reduce((sum, option) => sum + (option.votes ?? 0), 0);
  return (
    <section className="poll">
      <p className="poll-question" dir="auto">
        {poll.question}
      </p>
      <ul>
        {poll.options.map((option, index) => {
          const share = option.votes === undefined || totalVotes === 0 ? null : option.votes / totalVotes;
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: options have a fixed order, and may have the same text
            <li key={index}>
              <span className="poll-share">{share === null ? '' : formatPercent(messages.localeTag(), share)}</span>
              <span dir="auto">
                {option.text}
                {option.correct === true && <AnyIcon name="done" small />}
                {option.correct === true && <span className="hidden">{messages.msg('correct answer')}</span>}
              </span>
              <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" className="i flip">
                <rect width={Math.max((share ?? 0) * 100, 0.6)} height="1" />
              </svg>
            </li>
          );
        })}
      </ul>
      {/* Telegram does not report the votes of an open poll. "0 votes" would be a false statement. */}
      {(totalVotes > 0 || poll.closed) && (
        <p className="soft">
          {[messages.plural(totalVotes, messages.msg('one: # vote | other: # votes')), poll.closed ? messages.msg('closed') : '']
            .filter(Boolean)
            .join(' · ')}
        </p>
      )}
    </section>
  );
}

const formatPercent = (tag: string, share: number): string => new Intl.NumberFormat(tag, { style: 'percent' }).format(share);

/** Renders a venue, with a link to a map. */
export function VenueCard({ venue }: { readonly venue: Venue }) {
  const { msg } = useMsg();
  const { latitude, longitude } = venue;
  const coordinates = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const mapUrl = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <AttachmentCard icon={<AnyIcon name="place" />} title={venue.title ?? msg('Place')} details={venue.address ?? coordinates}>
      <ExternalLink href={mapUrl}>{msg('Show on the map')}</ExternalLink>
    </AttachmentCard>
  );
}

function ContactCard({ contact }: { readonly contact: NonNullable<Post['contact']> }) {
  const { msg } = useMsg();
  return (
    <AttachmentCard icon="person" title={contact.name} details={msg('Contact')}>
      {contact.phone !== undefined && (
        <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} dir="ltr">
          {contact.phone}
        </a>
      )}
    </AttachmentCard>
  );
}

function UnsupportedContentCard({ contentType, link }: { readonly contentType: string; readonly link: string | undefined }) {
  const { msg } = useMsg();
  const unsupported = msg('Something this page cannot show');
  const names: Readonly<Record<string, string>> = {
    giveaway: msg('A giveaway'),
    story: msg('A story'),
    checklist: msg('A checklist'),
    paid_media: msg('Paid media'),
    unsupported,
  };
  const name = Object.hasOwn(names, contentType) ? names[contentType] : undefined;
  return <AttachmentCard icon="info" title={name ?? unsupported} details={name === undefined ? contentType : ''} link={link} />;
}

/** Notice that the post was deleted at its source and is still stored here. `deletedAt` is unix seconds. */
function DeletedNotice({ deletedAt }: { readonly deletedAt: number }) {
  const { msg, localeTag } = useMsg();
  const date = new Intl.DateTimeFormat(localeTag(), { dateStyle: 'long' }).format(deletedAt * 1000);
  return <p className="soft gone">{msg(str`Deleted at its source, ${date}`)}</p>;
}
