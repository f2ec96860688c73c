import { useCallback, useMemo, useState } from 'react';
import type { Channel } from '../../../contract/channel.ts';
import type { Media, Post } from '../../../contract/post.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { postPath } from '../../ui/addresses.ts';
import { isVisual } from '../../ui/media/sizes.ts';
import type { PostActs } from '../../ui/Post.tsx';
import { type Services, type Site, useServices } from '../services.ts';
import { useOperating } from './operating.ts';
import type { ToastContent } from './use-toast.ts';

/** What is open in the viewer. */
export interface Viewed {
  readonly items: readonly Media[];
  readonly first: Media;
  readonly caption: string;
}

const TITLE_LENGTH = 80;

/** Gives the address by which others reach a page of ours: inside Telegram the mini-app's own link. */
export function sharedAddress({ host, site }: Pick<Services, 'host' | 'site'>, path: string, startParam: string): string {
  if (host.kind === 'telegram' && site.botApp !== null) return `${site.botApp}?startapp=${startParam}`;
  return new URL(path, originOf(site)).href;
}

const originOf = (site: Site): string => (site.base === '' ? location.origin : site.base);

/** Offers an address to others, and says what became of it. */
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

/** What can be done with the posts of a list; one object for all of them, as long as the page lives. */
export function useActs(
  channelOf: (post: Post) => Pick<Channel, 'id' | 'username' | 'title'>,
  show: (toast: ToastContent) => void,
) {
  const services = useServices();
  const share = useShare(show);
  const [viewed, setViewed] = useState<Viewed | null>(null);
  const operate = useOperating(show);
  const acts = useMemo<PostActs>(() => {
    const { channels, site } = services;
    return {
      star: site.embedded ? undefined : (post, starred) => channels.star(post, starred),
      share: (post) => {
        const channel = channelOf(post);
        const address = sharedAddress(services, postPath(channel, post.id), `c_${channel.id}_${post.id}`);
        const [line = ''] = post.text.split('\n');
        void share(address, line === '' ? channel.title : line.slice(0, TITLE_LENGTH));
      },
      view: (post, first) => {
        const items = post.media.filter((item) => isVisual(item) && item.src !== undefined);
        setViewed({ items, first, caption: post.text });
      },
      operate,
    };
  }, [services, channelOf, share, operate]);
  return { acts, viewed, closeViewer: useCallback(() => setViewed(null), []) };
}
