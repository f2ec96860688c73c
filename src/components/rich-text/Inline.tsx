import type { ReactNode } from 'react';
import { mailLink } from '../../../contract/mail-link.ts';
import type { TextRun } from '../../../contract/runs.ts';
import { channelPath, externalLink, internalLink, type LinkContext, safeHref } from '../../lib/links.ts';
import { CommonChunk } from '../lazy-chunks/lazy-chunks.tsx';
import { type Branch, STYLE_TAGS } from './nest-runs.ts';

/** Context of a text, used for the links of its runs. */
export interface TextContext {
  readonly text: string;
  readonly channel: { readonly id: string; readonly username?: string };
  readonly linkContext: LinkContext;
}

interface InlineProps {
  readonly branches: readonly Branch[];
  readonly context: TextContext;
}

/** Inline text: renders a tree of runs. The text is never interpreted as markup. */
export function Inline({ branches, context }: InlineProps): ReactNode {
  return branches.map((branch, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a text's runs never change their order
    typeof branch === 'string' ? branch : <FormattedRun key={index} branch={branch} context={context} />,
  );
}

const INLINE_TAGS: Partial<Record<TextRun['type'], (typeof STYLE_TAGS)[keyof typeof STYLE_TAGS]>> = STYLE_TAGS;

function FormattedRun({ branch, context }: { branch: Exclude<Branch, string>; context: TextContext }): ReactNode {
  const { run, children } = branch;
  const inner = <Inline branches={children} context={context} />;
  const href = linkPropsOf(run, context);
  if (href !== null) return <a {...href}>{inner}</a>;
  const Tag = INLINE_TAGS[run.type];
  if (Tag !== undefined) return <Tag>{inner}</Tag>;
  switch (run.type) {
    case 'code':
    case 'pre':
    case 'math':
      return <code dir="ltr">{inner}</code>;
    case 'spoiler':
      return (
        <CommonChunk fallback="…">
          {(chunk) => <chunk.Spoiler text={context.text.slice(run.start, run.end)}>{inner}</chunk.Spoiler>}
        </CommonChunk>
      );
    case 'date_time':
      return (
        <CommonChunk fallback={inner}>
          {(chunk) => <chunk.LocalTime time={run.entity?.time}>{inner}</chunk.LocalTime>}
        </CommonChunk>
      );
    default:
      return inner;
  }
}

function linkPropsOf(run: TextRun, context: TextContext) {
  const { text, linkContext } = context;
  const runText = text.slice(run.start, run.end);
  // A truncated run contains only a part of the URL, so the complete range of the entity is used.
  const entityText = run.entity === null ? runText : text.slice(run.entity.offset, run.entity.offset + run.entity.length);
  switch (run.type) {
    case 'url':
      return externalLinkProps(safeHref(entityText));
    case 'text_link':
      return externalLinkProps(run.entity?.url === undefined ? null : safeHref(run.entity.url));
    case 'mention':
      return externalLinkProps(/^@\w+$/.test(entityText) ? `https://t.me/${entityText.slice(1)}` : null);
    case 'text_mention':
      return externalLinkProps(run.entity?.userId === undefined ? null : `tg://user?id=${encodeURIComponent(run.entity.userId)}`);
    case 'email':
      return externalLinkProps(mailLink(entityText));
    case 'phone_number':
      return externalLinkProps(`tel:${entityText.replace(/[^\d+]/g, '')}`);
    case 'hashtag':
    case 'cashtag':
      return internalLink(linkContext, hashtagPath(entityText.split('@')[0] ?? entityText, context));
    default:
      return null;
  }
}

/** Returns the path of a tag search. On a channel's own page it searches that channel, elsewhere all channels. */
const hashtagPath = (tag: string, { channel, linkContext }: TextContext): string =>
  linkContext.scopedHashtags ? channelPath(channel, { q: tag }) : `/main?search=${encodeURIComponent(tag)}`;

const externalLinkProps = (href: string | null) => (href === null ? null : externalLink(href));
