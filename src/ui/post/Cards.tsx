import type { Place, Post } from '../../../contract/post.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { Out } from '../Link.tsx';
import { Card } from './Card.tsx';

/** What few posts carry beside text and files: a place, a contact, something that we can only name, that they are gone. */
export function Cards({ post }: { readonly post: Post }) {
  return (
    <>
      {post.place !== undefined && <PlaceCard place={post.place} />}
      {post.contact !== undefined && <ContactCard contact={post.contact} />}
      {post.other !== undefined && <OtherCard other={post.other} link={post.link} />}
      {post.gone !== undefined && <GoneLine gone={post.gone} />}
    </>
  );
}

/** A place, and the way to a map of it. */
export function PlaceCard({ place }: { readonly place: Place }) {
  const { msg } = useMsg();
  const { latitude, longitude } = place;
  const at = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=16/${latitude}/${longitude}`;
  return (
    <Card icon="place" title={place.title ?? msg('Place')} note={place.address ?? at}>
      <Out href={map}>{msg('Show on the map')}</Out>
    </Card>
  );
}

function ContactCard({ contact }: { readonly contact: NonNullable<Post['contact']> }) {
  const { msg } = useMsg();
  return (
    <Card icon="person" title={contact.name} note={msg('Contact')}>
      {contact.phone !== undefined && (
        <a href={`tel:${contact.phone.replace(/[^\d+]/g, '')}`} dir="ltr">
          {contact.phone}
        </a>
      )}
    </Card>
  );
}

function OtherCard({ other, link }: { readonly other: string; readonly link: string | undefined }) {
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
  return <Card icon="info" title={name ?? unsupported} note={name === undefined ? other : ''} link={link} />;
}

/** The post is kept here, and says that its source has it no more. */
function GoneLine({ gone }: { readonly gone: number }) {
  const { msg, tag } = useMsg();
  const date = new Intl.DateTimeFormat(tag(), { dateStyle: 'long' }).format(gone * 1000);
  return <p className="soft gone">{msg(str`Deleted at its source, ${date}`)}</p>;
}
