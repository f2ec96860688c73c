import { contentFocusSuccessor } from '../../components/focus/focus-successor.ts';
import { Icon } from '../../components/icons/Icon.tsx';
import { Notice } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import type { PostListState } from '../../data/model/types.ts';
import { useSignalValue } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';

interface OfflineNoticeProps {
  readonly state: PostListState;
  onRetry(): void;
}

/**
 * Offline notice: while no server can be reached, shows that the posts are those stored on this device, and when they
 * were stored.
 */
export function OfflineNotice({ state, onRetry }: OfflineNoticeProps) {
  const m = useMsg();
  const connectivity = useSignalValue(useServices().dataClient.connectivity);
  if (connectivity === 'online' || state.type !== 'loaded' || state.cachedAt === null) return null;
  const since = m.relativeDate(Math.floor(state.cachedAt / 1000), Date.now());
  return (
    <Notice
      icon={<Icon name="offline" small />}
      action={
        <button ref={contentFocusSuccessor} type="button" className="link" onClick={onRetry}>
          {m.msg('Try again')}
        </button>
      }
    >
      {m.msg(str`Saved on this device: ${since}`)}
    </Notice>
  );
}
