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
  type MarkPlan,
  markPostRead,
  markPostUnread,
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
  readonly channels: readonly Channel[];
  /** True if the list contains all posts of its channels: only then are "above" and "below" defined. */
  readonly hasAllPosts: boolean;
  readonly onClose: () => void;
  show(toast: ToastContent): void;
}

/** Post menu: moves the read markers of the post's channel, or of all channels of the list. */
export function PostMenu(props: PostMenuProps) {
  const { channel, anchor, onClose } = props;
  const style = useStylesheet(sheet + styles);
  const hasMessages = useAreaMessages('keys');
  return (
    <div ref={style}>
      {hasMessages && (
        <Sheet title={channel.title} anchor={anchor} onClose={onClose}>
          <ReadMarkerActions {...props} />
        </Sheet>
      )}
    </div>
  );
}

function ReadMarkerActions({ post, list, channels, hasAllPosts, show, onClose }: PostMenuProps) {
  const m = useMsg();
  const { msg } = m;
  const { dataClient, host } = useServices();
  // Computed once when the menu opens, so that its entries do not change while it is open.
  const [{ unread, isKeptUnread, above, below }] = useState(() => ({
    unread: isUnread(post, dataClient.readMarkers.get()),
    isKeptUnread: dataClient.keptUnread.get().has(postKey(post)),
    above: hasAllPosts ? planMarkRead(dataClient, list, post, 'above', channels) : null,
    below: hasAllPosts ? planMarkRead(dataClient, list, post, 'below', channels) : null,
  }));
  const createAction = (apply: () => (() => void) | null, text: string) => () => {
    onClose();
    host.haptic('light');
    const undo = apply();
    if (undo !== null) show({ text, action: { label: msg('Undo'), run: undo } });
  };
  const markUnread = () => {
    if (dataClient.keptUnread.get().size < MAX_KEPT_UNREAD)
      return createAction(() => markPostUnread(dataClient, list, post), msg('Marked as unread'))();
    onClose();
    show({ text: tooManyUnreadText(m) });
  };
  const applyPlan = (plan: MarkPlan) => () => applyMarkPlan(dataClient, list, plan);
  return (
    <div className="sheet-rows post-menu">
      {unread ? (
        <MenuButton
          icon="done"
          label={msg('Mark as read up to here')}
          onPress={createAction(() => markReadUpTo(dataClient, list, post), msg('Read up to here'))}
        />
      ) : (
        <>
          {isKeptUnread ? (
            <MenuButton
              icon="done"
              label={msg('Mark this post as read')}
              onPress={createAction(() => markPostRead(dataClient, post), msg('Marked as read'))}
            />
          ) : (
            <MenuButton icon="unread" label={msg('Mark this post as unread')} onPress={markUnread} />
          )}
          <MenuButton
            icon="inbox"
            label={msg('Mark as unread from here on')}
            onPress={createAction(() => markUnreadFrom(dataClient, list, post), msg('Unread from here on'))}
          />
        </>
      )}
      {above !== null && (
        <MenuButton
          icon="up"
          label={msg('Mark all above as read')}
          onPress={createAction(
            applyPlan(above),
            above.marksOlder ? msg('All above are read, and older posts of the same channels') : msg('All above are read'),
          )}
        />
      )}
      {below !== null && (
        <MenuButton
          icon="down"
          label={msg('Mark all below as read')}
          onPress={createAction(applyPlan(below), msg('All below are read'))}
        />
      )}
    </div>
  );
}

interface MenuButtonProps {
  readonly icon: AnyIconName;
  readonly label: string;
  readonly onPress: () => void;
}

const MenuButton = ({ icon, label, onPress }: MenuButtonProps) => (
  <button type="button" onClick={onPress}>
    <AnyIcon name={icon} />
    {label}
  </button>
);
