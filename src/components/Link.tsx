import type { AnchorHTMLAttributes } from 'react';
import { externalLink, internalLink, type LinkContext } from '../lib/links.ts';

type AnchorProps = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'>;

/** Link to a page of this site. */
export const PageLink = ({
  linkContext,
  path,
  ...rest
}: AnchorProps & { readonly linkContext: LinkContext; readonly path: string }) => (
  <a {...internalLink(linkContext, path)} {...rest} />
);

/** Link to another site. It opens in a new tab. */
export const ExternalLink = ({ href, ...rest }: AnchorProps & { readonly href: string }) => (
  <a {...externalLink(href)} {...rest} />
);
