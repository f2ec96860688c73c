import { useCallback, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import { firstLine } from '../../../contract/plain-text.ts';
import type { Media, Post } from '../../../contract/post.ts';
import type { PostActs } from '../../components/post/types.ts';
import type { Anchor } from '../../components/Sheet.tsx';
import { type Services, type Site, useServices } from '../../context/services.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { type Place, postPath } from '../../lib/links.ts';
import { isVisual } from '../../lib/media-kinds.ts';
import { createCell } from '../../lib/signal.ts';
import type { Leaves } from './post-groups.ts';
import { useOperating } from './use-moderation.ts';

/** Set by the build: false in the bundle of the tags, whose posts have no menu. */
declare const __APP__: boolean;

/** Media that is open in the viewer. */
export interface Viewed {
  readonly items: readonly Media[];
  readonly first: Media;
  readonly post: Post;
  readonly channel: Pick<Channel, 'id' | 'username'>;
  readonly place: Place;
}

/** Post whose menu is open, and the position of its button. */
export interface Menu {
  readonly post: Post;
  readonly anchor: Anchor;
}

const TITLE_LENGTH = 80;

/** Returns the URL by which others open a page of the app: inside Telegram the mini-app's own link. */
export function sharedAddress({ host, site }: Pick<Services, 'host' | 'site'>, path: string, startParam: string): string {
  if (host.kind === 'telegram' && site.botApp !== null) return `${site.botApp}?startapp=${startParam}`;
  return new URL(path, originOf(site)).href;
}

const originOf = (site: Site): string => (site.base === '' ? location.origin : site.base);

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
      const copied = navigator.clipboard?.writeText(address) ?? Promise.reject();
      copied.then(
        () => show({ text: msg('Link copied') }),
        () => show({ text: address }),
      );
    },
    [msg, show],
  );
}

/** Post actions: the actions on the posts of a list, one object for all of them while the page is mounted. */
export function useActs(
  channelOf: (post: Post) => Pick<Channel, 'id' | 'username' | 'title'>,
  show: (toast: ToastContent) => void,
  leaves: Leaves,
) {
  const services = useServices();
  const { host } = services;
  const share = useShare(show);
  const copy = useCopy(show);
  const [viewed, setViewed] = useState<Viewed | null>(null);
  const [menu, setMenu] = useState<Menu | null>(null);
  const operate = useOperating(show);
  const jump = useMemo<PostActs['jump']>(
    () => ({ ...createCell(null), draw: (key) => leaves.send(leaves.boxOf(key), null) }),
    [leaves],
  );
  const acts = useMemo<PostActs>(() => {
    const { channels, site } = services;
    const addressOf = (post: Post) => {
      const channel = channelOf(post);
      return sharedAddress(services, postPath(channel, post.id), `c_${channel.id}_${post.id}`);
    };
    return {
      star: site.embedded
        ? undefined
        : (post, starred) => {
            host.haptic('light');
            channels.star(post, starred);
          },
      share: (post) => {
        const line = firstLine(post);
        void share(addressOf(post), line === '' ? channelOf(post).title : line.slice(0, TITLE_LENGTH));
      },
      copy: (post) => copy(addressOf(post)),
      view: (post, first) => {
        // Spoilers that the reader did not open stay out of the viewer.
        const isShown = ({ spoiler }: Media) => spoiler !== true || first.spoiler === true;
        const items = post.media.filter((item) => (isVisual(item) || item === first) && item.src !== undefined && isShown(item));
        setViewed({ items, first, post, channel: channelOf(post), place: site });
      },
      jump,
      more: __APP__ && !site.embedded ? (post, anchor) => setMenu({ post, anchor }) : undefined,
      operate,
    };
  }, [services, host, channelOf, share, copy, jump, operate]);
  return {
    acts,
    viewed,
    closeViewer: useCallback(() => setViewed(null), []),
    menu,
    closeMenu: useCallback(() => setMenu(null), []),
  };
}
