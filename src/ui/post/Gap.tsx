import { missingPosts } from '../../i18n/counts/missing.ts';
import { useMsg } from '../../i18n/i18n.ts';

/** Between two posts of a channel: messages lay there that nothing explains. */
export function Gap({ count = 0 }: { readonly count: number | undefined }) {
  const m = useMsg();
  return count > 0 && <p className="gap">{missingPosts(m, count)}</p>;
}
