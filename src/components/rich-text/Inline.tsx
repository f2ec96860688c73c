import type { ReactNode } from 'react';
import { mailLink } from '../../../contract/mail-link.ts';
import type { Run } from '../../../contract/runs.ts';
import { channelPath, outLink, type Place, placeLink, safeHref } from '../../lib/links.ts';
import { Part } from '../lazy-chunks/lazy-chunks.tsx';
import { type Branch, LOOKS } from './nest-runs.ts';

/** Context of a text, used for the links of its runs. */
export interface TextSurroundings {
  readonly text: string;
  readonly channel: { readonly id: string; readonly username?: string };
  readonly place: Place;
}

interface InlineProps {
  readonly branches: readonly Branch[];
  readonly around: TextSurroundings;
}

/** Inline text: renders a tree of runs. The text is never interpreted as markup. */
export function Inline({ branches, around }: InlineProps): ReactNode {
  return branches.map((branch, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a text's runs never change places
    typeof branch === 'string' ? branch : <Marked key={index} branch={branch} around={around} />,
  );
}

const TAGS: Partial<Record<Run['type'], (typeof LOOKS)[keyof typeof LOOKS]>> = LOOKS;

function Marked({ branch, around }: { branch: Exclude<Branch, string>; around: TextSurroundings }): ReactNode {
  const { run, children } = branch;
  const inner = <Inline branches={children} around={around} />;
  const href = hrefOf(run, around);
  if (href !== null) return <a {...href}>{inner}</a>;
  const Tag = TAGS[run.type];
  if (Tag !== undefined) return <Tag>{inner}</Tag>;
  switch (run.type) {
    case 'code':
    case 'pre':
    case 'math':
      return <code dir="ltr">{inner}</code>;
    case 'spoiler':
      return (
        <Part otherwise="…">
          {(parts) => <parts.Spoiler text={around.text.slice(run.start, run.end)}>{inner}</parts.Spoiler>}
        </Part>
      );
    case 'date_time':
      return <Part otherwise={inner}>{(parts) => <parts.Moment time={run.entity?.time}>{inner}</parts.Moment>}</Part>;
    default:
      return inner;
  }
}

function hrefOf(run: Run, around: TextSurroundings) {
  const { text, place } = around;
  const said = text.slice(run.start, run.end);
  // A truncated run contains only a part of the URL, so the complete range of the entity is used.
  const whole = run.entity === null ? said : text.slice(run.entity.offset, run.entity.offset + run.entity.length);
  switch (run.type) {
    case 'url':
      return leaving(safeHref(whole));
    case 'text_link':
      return leaving(run.entity?.url === undefined ? null : safeHref(run.entity.url));
    case 'mention':
      return leaving(/^@\w+$/.test(whole) ? `https://t.me/${whole.slice(1)}` : null);
    case 'text_mention':
      return leaving(run.entity?.userId === undefined ? null : `tg://user?id=${encodeURIComponent(run.entity.userId)}`);
    case 'email':
      return leaving(mailLink(whole));
    case 'phone_number':
      return leaving(`tel:${whole.replace(/[^\d+]/g, '')}`);
    case 'hashtag':
    case 'cashtag':
      return placeLink(place, tagPath(whole.split('@')[0] ?? whole, around));
    default:
      return null;
  }
}

/** Returns the path of a tag search. On a channel's own page it searches that channel, elsewhere all channels. */
const tagPath = (tag: string, { channel, place }: TextSurroundings): string =>
  place.ownTags ? channelPath(channel, { q: tag }) : `/main?search=${encodeURIComponent(tag)}`;

const leaving = (href: string | null) => (href === null ? null : outLink(href));
