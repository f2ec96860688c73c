import { useMsg } from '../../i18n/i18n.ts';

/** Between two posts of a channel: messages lay there that nothing explains. */
export function Gap({ count = 0 }: { readonly count: number | undefined }) {
  const m = useMsg();
  return (
    count > 0 && (
      <p className="gap">{m.plural(count, m.msg('one: # post may be missing here | other: # posts may be missing here'))}</p>
    )
  );
}
