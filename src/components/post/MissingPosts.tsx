import { useMsg } from '../../i18n/i18n.ts';

/** Gap between two posts of a channel: the number of message ids that no known event accounts for. */
export function MissingPosts({ count = 0 }: { readonly count: number | undefined }) {
  const m = useMsg();
  return (
    count > 0 && (
      <p className="gap">{m.plural(count, m.msg('one: # post may be missing here | other: # posts may be missing here'))}</p>
    )
  );
}
