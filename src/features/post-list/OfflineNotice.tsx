import { leavesFocusToContent } from '../../components/focus/focus-successor.ts';
import { Icon } from '../../components/icons/Icon.tsx';
import { Notice } from '../../components/States.tsx';
import { useServices } from '../../context/services.ts';
import type { PostListState } from '../../data/model/types.ts';
import { useReadable } from '../../hooks/use-signal-value.ts';
import { str, useMsg } from '../../i18n/i18n.ts';

interface KeptNoticeProps {
  readonly state: PostListState;
  onRetry(): void;
}

/** Offline notice: while no server can be reached, shows that the posts come from this device, and from when. */
export function KeptNotice({ state, onRetry }: KeptNoticeProps) {
  const m = useMsg();
  const connection = useReadable(useServices().channels.connection);
  if (connection === 'online' || state.type !== 'loaded' || state.kept === null) return null;
  const since = m.when(Math.floor(state.kept / 1000), Date.now());
  return (
    <Notice
      icon={<Icon name="offline" small />}
      action={
        <button ref={leavesFocusToContent} type="button" className="link" onClick={onRetry}>
          {m.msg('Try again')}
        </button>
      }
    >
      {m.msg(str`Kept on this device: ${since}`)}
    </Notice>
  );
}
