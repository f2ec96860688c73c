import type { AnchorHTMLAttributes } from 'react';
import { outLink, type Place, placeLink } from '../lib/links.ts';

type Rest = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'>;

/** A link to a page of ours. */
export const To = ({ place, path, ...rest }: Rest & { readonly place: Place; readonly path: string }) => (
  <a {...placeLink(place, path)} {...rest} />
);

/** A link that leaves us, in a tab of its own. */
export const Out = ({ href, ...rest }: Rest & { readonly href: string }) => <a {...outLink(href)} {...rest} />;
