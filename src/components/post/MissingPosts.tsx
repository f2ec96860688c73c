import { useMsg } from '../../i18n/i18n.ts';

/** Gap notice between two posts of a channel: `count` is the number of message ids for which no event is known. */
export function MissingPosts({ count = 0 }: { readonly count: number | undefined }) {
  const messages = useMsg();
  return (
    count > 0 && (
      <p className="gap">
        {messages.plural(count, messages.msg('one: # post may be missing here | other: # posts may be missing here'))}
      </p>
    )
  );
}
