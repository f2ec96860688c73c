import { useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { MAX_KEPT_UNREAD } from '../../../contract/kept-unread.ts';
import type { Post } from '../../../contract/post.ts';
import { AnyIcon, type AnyIconName } from '../../components/icons/AnyIcon.tsx';
import { type Anchor, Sheet } from '../../components/Sheet.tsx';
import sheet from '../../components/styles/sheet.css';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList } from '../../data/model/types.ts';
import { useStyle } from '../../hooks/use-stylesheet.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useWords } from '../../i18n/lazy-messages.ts';
import { keepUnread, type MarkPlan, markFrom, markPlanned, markRead, markUpTo, planMark } from './move-read-marker.ts';
import styles from './post-menu.css';
import { isUnread } from './read-progress.ts';
import { tooManyUnread } from './too-many-unread.ts';

export interface PostMenuProps {
  readonly post: Post;
  readonly channel: Pick<Channel, 'title'>;
  readonly anchor: Anchor;
  readonly list: PostList;
  /** Channels of the list. */
  readonly among: readonly Channel[];
  /** True if the list holds all posts of its channels: only then are "above" and "below" defined. */
  readonly whole: boolean;
  readonly onClose: () => void;
  show(toast: ToastContent): void;
}

/** Post menu: moves the read markers of the post's channel, or of all channels of the list. */
export function PostMenu(props: PostMenuProps) {
  const { channel, anchor, onClose } = props;
  const style = useStyle(sheet + styles);
  const worded = useWords('keys');
  return (
    <div ref={style}>
      {worded && (
        <Sheet title={channel.title} anchor={anchor} onClose={onClose}>
          <Marks {...props} />
        </Sheet>
      )}
    </div>
  );
}

function Marks({ post, list, among, whole, show, onClose }: PostMenuProps) {
  const m = useMsg();
  const { msg } = m;
  const { channels, host } = useServices();
  // Computed once when the menu opens, so that its entries do not change while it is open.
  const [{ unread, kept, above, below }] = useState(() => ({
    unread: isUnread(post, channels.marks.get()),
    kept: channels.keptUnread.get().has(postKey(post)),
    above: whole ? planMark(channels, list, post, 'above', among) : null,
    below: whole ? planMark(channels, list, post, 'below', among) : null,
  }));
  const mark = (change: () => (() => void) | null, text: string) => () => {
    onClose();
    host.haptic('light');
    const undo = change();
    if (undo !== null) show({ text, action: { label: msg('Undo'), run: undo } });
  };
  const keep = () => {
    if (channels.keptUnread.get().size < MAX_KEPT_UNREAD)
      return mark(() => keepUnread(channels, list, post), msg('Marked as unread'))();
    onClose();
    show({ text: tooManyUnread(m) });
  };
  const planned = (plan: MarkPlan) => () => markPlanned(channels, list, plan);
  return (
    <div className="sheet-rows post-menu">
      {unread ? (
        <Item
          icon="done"
          label={msg('Mark as read up to here')}
          act={mark(() => markUpTo(channels, list, post), msg('Read up to here'))}
        />
      ) : (
        <>
          {kept ? (
            <Item
              icon="done"
              label={msg('Mark this post as read')}
              act={mark(() => markRead(channels, post), msg('Marked as read'))}
            />
          ) : (
            <Item icon="unread" label={msg('Mark this post as unread')} act={keep} />
          )}
          <Item
            icon="inbox"
            label={msg('Mark as unread from here on')}
            act={mark(() => markFrom(channels, list, post), msg('Unread from here on'))}
          />
        </>
      )}
      {above !== null && (
        <Item
          icon="up"
          label={msg('Mark all above as read')}
          act={mark(
            planned(above),
            above.takesOlder ? msg('All above are read, and older posts of the same channels') : msg('All above are read'),
          )}
        />
      )}
      {below !== null && (
        <Item icon="down" label={msg('Mark all below as read')} act={mark(planned(below), msg('All below are read'))} />
      )}
    </div>
  );
}

interface ItemProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly act: () => void;
}

const Item = ({ icon, label, act }: ItemProps) => (
  <button type="button" onClick={act}>
    <AnyIcon name={icon} />
    {label}
  </button>
);
