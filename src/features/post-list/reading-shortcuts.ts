import { type RefObject, useEffect, useRef } from 'react';
import type { Post } from '../../../contract/post.ts';
import { useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { isShortcutEvent, readSingleKeyShortcuts, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { useMsg } from '../../i18n/i18n.ts';
import { loadAreaMessages } from '../../i18n/lazy-messages.ts';
import { externalLink } from '../../lib/links.ts';
import { currentPost, focusPost, isSeenWithoutFocus, stepToPost } from './current-post.ts';
import { countsAsUnread, keepUnread, markRead, markReadUpTo } from './move-read-marker.ts';
import { articleOf, mountGroup } from './post-elements.ts';
import type { PostGroups } from './post-groups.ts';
import { isUnread } from './read-progress.ts';
import { tooManyUnreadText } from './too-many-unread.ts';

/** Selector of a post's link to its own page, in a complete post and in a row. */
const POST_LINK_SELECTOR = '.post-facts a, .row-link';

interface ReadingShortcutsOptions {
  readonly feed: RefObject<HTMLElement | null>;
  readonly list: PostList;
  readonly state: PostListState;
  readonly postGroups: PostGroups;
  show(toast: ToastContent): void;
}

/**
 * Reading shortcuts of a post list: J and K move from post to post, N to the next unread one; S stars, O and Enter open, V
 * opens the original, M marks as read up to here, or this post as unread, / opens the search. They are inactive on a
 * third-party page.
 */
export function useReadingShortcuts(reading: ReadingShortcutsOptions): void {
  const { dataClient: channels, host, environment: site } = useServices();
  const m = useMsg();
  const latest = useRef(reading);
  useEffect(() => {
    latest.current = reading;
  });
  useEffect(() => {
    if (site.embedded) return;
    const { locale } = m;
    const say = async (text: () => string, undo?: () => void) => {
      // English texts are used if the translations cannot be fetched.
      await loadAreaMessages(locale, 'keys').catch(() => {});
      latest.current.show({ text: text(), ...(undo && { action: { label: m.msg('Undo'), run: undo } }) });
    };
    const star = (post: Post) => {
      const starred = !channels.stars.get().has(postKey(post));
      host.haptic('light');
      channels.star(post, starred);
      void say(() => (starred ? m.msg('Added to starred') : m.msg('Removed from starred')));
    };
    const mark = (post: Post) => {
      const { list } = latest.current;
      if (isUnread(post, channels.readMarkers.get())) {
        const undo = markReadUpTo(channels, list, post);
        return void say(() => m.msg('Read up to here'), undo);
      }
      if (channels.keptUnread.get().has(postKey(post))) {
        const undo = markRead(channels, post);
        return void say(() => m.msg('Marked as read'), undo);
      }
      const undo = keepUnread(channels, list, post);
      if (undo === null) void say(() => tooManyUnreadText(m));
      else void say(() => m.msg('Marked as unread'), undo);
    };
    const act = (event: KeyboardEvent, feed: HTMLElement): boolean => {
      const { postGroups: leaves, state } = latest.current;
      const letter = shortcutLetter(event);
      if (letter === 'j' || letter === 'k') return stepToPost(feed, leaves, letter === 'j' ? 1 : -1);
      if (event.repeat) return false;
      if (letter === '/') {
        site.navigate('/main?search');
        return true;
      }
      const article = currentPost(feed);
      const posts = state.type === 'loaded' ? state.posts : [];
      const at = posts.findIndex((one) => postKey(one) === article?.dataset.key);
      const post = posts[at];
      if (article === null || post === undefined) return false;
      if (letter === 'n') {
        const from = isSeenWithoutFocus(feed, article) ? at : at + 1;
        const ahead = [...posts.slice(from), ...posts.slice(0, at)].find((one) => countsAsUnread(channels, one));
        if (ahead === undefined) void say(() => m.msg('Nothing here is unread'));
        else goToPost(feed, leaves, postKey(ahead));
      } else if (letter === 's') star(post);
      else if (letter === 'm') mark(post);
      else if (letter === 'o') return clickLink(article, POST_LINK_SELECTOR);
      else if (letter === 'v') return openOriginal(article, post.link);
      else return false;
      return true;
    };
    const listen = (event: KeyboardEvent) => {
      const { feed } = latest.current;
      // Some keyboard layouts have the slash on Shift.
      const isModified = event.altKey || (event.shiftKey && event.key !== '/');
      if (feed.current === null || isModified || !isShortcutEvent(event) || isOnMedia(event)) return;
      const [target] = event.composedPath();
      const isUsed =
        event.key === 'Enter'
          ? target instanceof HTMLElement && target.matches('article') && clickLink(target, POST_LINK_SELECTOR)
          : readSingleKeyShortcuts() && act(event, feed.current);
      if (isUsed) event.preventDefault();
    };
    // The window receives the event last: any other handler of the key has handled it by then.
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [channels, host, site, m]);
}

/** Returns true if a media player has the focus, which has its own keys. */
const isOnMedia = (event: KeyboardEvent): boolean => event.composedPath().some((node) => node instanceof HTMLMediaElement);

/** Clicks a link of a post; returns false if there is none. */
function clickLink(article: HTMLElement, selector: string): boolean {
  const link = article.querySelector<HTMLElement>(selector);
  link?.click();
  return link !== null;
}

/**
 * Opens a post at its source by a click on a temporary link, because a compact row has no such link; returns false without an
 * address.
 */
function openOriginal(article: HTMLElement, address: string | undefined): boolean {
  if (address === undefined) return false;
  const link = Object.assign(document.createElement('a'), externalLink(address));
  article.append(link);
  link.click();
  link.remove();
  return true;
}

function goToPost(feed: HTMLElement, leaves: PostGroups, key: string): void {
  mountGroup(leaves, leaves.boxOf(key));
  const article = articleOf(feed, key);
  if (article !== null) focusPost(article);
}
