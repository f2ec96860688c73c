import type { HiddenPost } from '../../../contract/operator.ts';
import { plainText } from '../../../contract/plain-text.ts';
import type { OperatorApi } from '../../api/operator-api.ts';
import { AnyIcon } from '../../components/icons/AnyIcon.tsx';
import { EmptyState } from '../../components/States.tsx';
import { useNow } from '../../hooks/use-now.ts';
import { str, useMsg } from '../../i18n/i18n.ts';
import { LoadableContent } from './ListStates.tsx';
import { type OperatorSectionProps, useOperatorAction, useOperatorQuery } from './use-operator-api.ts';

const loadHiddenPosts = (api: OperatorApi) => api.hiddenPosts();

/** Hidden posts: posts that readers do not receive, with a button that restores each. */
export function HiddenPosts({ show }: OperatorSectionProps) {
  const { msg } = useMsg();
  const { state, reload } = useOperatorQuery(loadHiddenPosts);
  const { busy, run } = useOperatorAction(show);
  const restore = async ({ post, channel }: HiddenPost) => {
    if (!(await run((api) => api.restore(channel.id, post.id)))) return;
    show({ text: msg('Readers see it again.') });
    await reload();
  };
  return (
    <>
      <p className="operator-note">
        {msg(
          'This server never sends a hidden post, and readers’ devices delete it when they next open the app. Copies that somebody posted elsewhere cannot be deleted.',
        )}
      </p>
      <LoadableContent state={state} reload={reload}>
        {({ items }) =>
          items.length === 0 ? (
            <EmptyState
              icon={<AnyIcon name="check" />}
              title={msg('Nothing is hidden')}
              text={msg('Under every post you find “Hide for readers”.')}
            />
          ) : (
            <ul className="rows operator-rows" aria-label={msg('Hidden')}>
              {items.map((item) => (
                <HiddenPostRow
                  key={`${item.channel.id}/${item.post.id}`}
                  item={item}
                  busy={busy}
                  onRestore={() => void restore(item)}
                />
              ))}
            </ul>
          )
        }
      </LoadableContent>
    </>
  );
}

interface HiddenPostRowProps {
  readonly item: HiddenPost;
  readonly busy: boolean;
  readonly onRestore: () => void;
}

function HiddenPostRow({ item: { post, channel, at }, busy, onRestore }: HiddenPostRowProps) {
  const m = useMsg();
  const { msg } = m;
  const now = useNow();
  const text = plainText(post).trim();
  return (
    <li className="row hidden-post">
      <div className="row-text">
        <bdi className="row-title">{channel.title}</bdi>
        {text !== '' && (
          <p className="excerpt" dir="auto">
            {text}
          </p>
        )}
        <span className="row-about">
          {post.media.length > 0 && <>{msg(str`Files: ${m.number(post.media.length)}`)} · </>}
          {msg(str`Hidden: ${m.relativeDate(at, now)}`)}
        </span>
      </div>
      <button
        type="button"
        className="button outline"
        disabled={busy}
        aria-label={msg(str`Restore the post of ${m.fullDate(post.date)}`)}
        onClick={onRestore}
      >
        {msg('Restore')}
      </button>
    </li>
  );
}
