import { useCallback, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { firstLine } from '../../../contract/plain-text.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { PostActionHandlers } from '../../components/post/types.ts';
import type { Anchor } from '../../components/Sheet.tsx';
import { type AppServices, type Environment, useServices } from '../../context/services.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type LinkContext, postPath } from '../../lib/links.ts';
import { isVisual } from '../../lib/media-kinds.ts';
import { createSignal } from '../../lib/signal.ts';
import type { PostGroups } from './post-groups.ts';
import { useModeration } from './use-moderation.ts';

/** Set by the build: false in the bundle of the tags, whose posts have no menu. */
declare const __APP__: boolean;

/** Media that is open in the viewer. */
export interface ViewedMedia {
  readonly items: readonly Media[];
  readonly first: Media;
  readonly post: Post;
  readonly channel: Pick<Channel, 'id' | 'username'>;
  readonly linkContext: LinkContext;
}

/** Post whose menu is open, and the position of its button. */
export interface OpenPostMenu {
  readonly post: Post;
  readonly anchor: Anchor;
}

/** Maximum length of the title of a shared link, characters. */
const MAX_TITLE_LENGTH = 80;

/** Returns the deep link by which others open a page of the app: inside Telegram the mini-app's own link. */
export function sharedAddress(
  { host, environment }: Pick<AppServices, 'host' | 'environment'>,
  path: string,
  startParam: string,
): string {
  if (host.kind === 'telegram' && environment.botApp !== null) return `${environment.botApp}?startapp=${startParam}`;
  return new URL(path, originOf(environment)).href;
}

const originOf = (environment: Environment): string => (environment.baseUrl === '' ? location.origin : environment.baseUrl);

/** Shares a URL, and shows the result. */
export function useShare(show: (toast: ToastContent) => void) {
  const { host } = useServices();
  const { msg } = useMsg();
  return useCallback(
    async (address: string, text: string) => {
      const outcome = await host.share(address, text);
      if (outcome === 'copied') show({ text: msg('Link copied') });
      if (outcome === 'failed') show({ text: address });
    },
    [host, msg, show],
  );
}

/** Copies a URL; if the container forbids that, shows it instead. */
function useCopy(show: (toast: ToastContent) => void) {
  const { msg } = useMsg();
  return useCallback(
    (address: string) => {
      const writing = navigator.clipboard?.writeText(address) ?? Promise.reject();
      writing.then(
        () => show({ text: msg('Link copied') }),
        () => show({ text: address }),
      );
    },
    [msg, show],
  );
}

/** Post actions: the actions on the posts of a list, one object for all of them while the page is mounted. */
export function usePostActions(
  channelOf: (post: Post) => Pick<Channel, 'id' | 'username' | 'title'>,
  show: (toast: ToastContent) => void,
  postGroups: PostGroups,
) {
  const services = useServices();
  const { host } = services;
  const share = useShare(show);
  const copy = useCopy(show);
  const [viewed, setViewed] = useState<ViewedMedia | null>(null);
  const [menu, setMenu] = useState<OpenPostMenu | null>(null);
  const renderModeration = useModeration(show);
  const jump = useMemo<PostActionHandlers['jump']>(
    () => ({ ...createSignal(null), mount: (key) => postGroups.setPlaceholderHeight(postGroups.elementOf(key), null) }),
    [postGroups],
  );
  const actions = useMemo<PostActionHandlers>(() => {
    const { dataClient, environment } = services;
    const addressOf = (post: Post) => {
      const channel = channelOf(post);
      return sharedAddress(services, postPath(channel, post.id), `c_${channel.id}_${post.id}`);
    };
    return {
      star: environment.embedded
        ? undefined
        : (post, starred) => {
            host.haptic('light');
            dataClient.star(post, starred);
          },
      share: (post) => {
        const line = firstLine(post);
        void share(addressOf(post), line === '' ? channelOf(post).title : line.slice(0, MAX_TITLE_LENGTH));
      },
      copy: (post) => copy(addressOf(post)),
      viewMedia: (post, first) => {
        // Spoilers that the reader did not open stay out of the viewer.
        const isShown = ({ spoiler }: Media) => spoiler !== true || first.spoiler === true;
        const items = post.media.filter((item) => (isVisual(item) || item === first) && item.src !== undefined && isShown(item));
        setViewed({ items, first, post, channel: channelOf(post), linkContext: environment });
      },
      jump,
      openMenu: __APP__ && !environment.embedded ? (post, anchor) => setMenu({ post, anchor }) : undefined,
      renderModeration,
    };
  }, [services, host, channelOf, share, copy, jump, renderModeration]);
  return {
    actions,
    viewed,
    closeViewer: useCallback(() => setViewed(null), []),
    menu,
    closeMenu: useCallback(() => setMenu(null), []),
  };
}
