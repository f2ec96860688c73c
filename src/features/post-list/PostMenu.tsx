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
import { useStylesheet } from '../../hooks/use-stylesheet.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { useAreaMessages } from '../../i18n/lazy-messages.ts';
import {
  applyMarkPlan,
  keepUnread,
  type MarkPlan,
  markRead,
  markReadUpTo,
  markUnreadFrom,
  planMarkRead,
} from './move-read-marker.ts';
import styles from './post-menu.css';
import { isUnread } from './read-progress.ts';
import { tooManyUnreadText } from './too-many-unread.ts';

export interface PostMenuProps {
  readonly post: Post;
  readonly channel: Pick<Channel, 'title'>;
  readonly anchor: Anchor;
  readonly list: PostList;
  /** Channels of the list. */
  readonly among: readonly Channel[];
  /** True if the list holds all posts of its channels: only then are "above" and "below" defined. */
  readonly hasAllPosts: boolean;
  readonly onClose: () => void;
  show(toast: ToastContent): void;
}

/** Post menu: moves the read markers of the post's channel, or of all channels of the list. */
export function PostMenu(props: PostMenuProps) {
  const { channel, anchor, onClose } = props;
  const style = useStylesheet(sheet + styles);
  const worded = useAreaMessages('keys');
  return (
    <div ref={style}>
      {worded && (
        <Sheet title={channel.title} anchor={anchor} onClose={onClose}>
          <ReadMarkerActions {...props} />
        </Sheet>
      )}
    </div>
  );
}

function ReadMarkerActions({ post, list, among, hasAllPosts: whole, show, onClose }: PostMenuProps) {
  const m = useMsg();
  const { msg } = m;
  const { dataClient: channels, host } = useServices();
  // Computed once when the menu opens, so that its entries do not change while it is open.
  const [{ unread, kept, above, below }] = useState(() => ({
    unread: isUnread(post, channels.readMarkers.get()),
    kept: channels.keptUnread.get().has(postKey(post)),
    above: whole ? planMarkRead(channels, list, post, 'above', among) : null,
    below: whole ? planMarkRead(channels, list, post, 'below', among) : null,
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
    show({ text: tooManyUnreadText(m) });
  };
  const planned = (plan: MarkPlan) => () => applyMarkPlan(channels, list, plan);
  return (
    <div className="sheet-rows post-menu">
      {unread ? (
        <MenuButton
          icon="done"
          label={msg('Mark as read up to here')}
          onPress={mark(() => markReadUpTo(channels, list, post), msg('Read up to here'))}
        />
      ) : (
        <>
          {kept ? (
            <MenuButton
              icon="done"
              label={msg('Mark this post as read')}
              onPress={mark(() => markRead(channels, post), msg('Marked as read'))}
            />
          ) : (
            <MenuButton icon="unread" label={msg('Mark this post as unread')} onPress={keep} />
          )}
          <MenuButton
            icon="inbox"
            label={msg('Mark as unread from here on')}
            onPress={mark(() => markUnreadFrom(channels, list, post), msg('Unread from here on'))}
          />
        </>
      )}
      {above !== null && (
        <MenuButton
          icon="up"
          label={msg('Mark all above as read')}
          onPress={mark(
            planned(above),
            above.marksOlder ? msg('All above are read, and older posts of the same channels') : msg('All above are read'),
          )}
        />
      )}
      {below !== null && (
        <MenuButton icon="down" label={msg('Mark all below as read')} onPress={mark(planned(below), msg('All below are read'))} />
      )}
    </div>
  );
}

interface MenuButtonProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly onPress: () => void;
}

const MenuButton = ({ icon, label, onPress: act }: MenuButtonProps) => (
  <button type="button" onClick={act}>
    <AnyIcon name={icon} />
    {label}
  </button>
);
