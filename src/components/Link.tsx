import type { AnchorHTMLAttributes } from 'react';
import { outLink, type Place, placeLink } from '../lib/links.ts';

type Rest = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href' | 'target' | 'rel'>;

/** Link to a page of this site. */
export const To = ({ place, path, ...rest }: Rest & { readonly place: Place; readonly path: string }) => (
  <a {...placeLink(place, path)} {...rest} />
);

/** Link to another site. It opens in a new tab. */
export const Out = ({ href, ...rest }: Rest & { readonly href: string }) => <a {...outLink(href)} {...rest} />;
