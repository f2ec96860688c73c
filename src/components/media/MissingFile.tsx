import type { Media } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { ExternalLink } from '../Link.tsx';
import { useOriginalLabel } from '../use-original-label.ts';

/** Link to the original post, if it has a URL. */
export function OriginalLink({ link }: { link: string | undefined }) {
  const label = useOriginalLabel(link);
  return link === undefined ? null : <ExternalLink href={link}>{label}</ExternalLink>;
}

/** Missing file: returns the reason why a file is not available; '' if it is available. */
export function useMissingReason(item: Media): string {
  const { msg } = useMsg();
  if (item.src !== undefined) return '';
  switch (item.missing) {
    case 'too-large':
      return msg('This file is too large to store here.');
    case 'pending':
      return msg('This file is still downloading.');
    case 'dropped':
      return msg('This file was removed to save space.');
    default:
      return msg('This file is not here.');
  }
}
