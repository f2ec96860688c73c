import { type RefObject, useEffect, useRef } from 'react';
import type { Post } from '../../../contract/post.ts';
import { type AppServices, useServices } from '../../context/services.ts';
import { postKey } from '../../data/model/post-key.ts';
import type { PostList, PostListState } from '../../data/model/types.ts';
import { isShortcutEvent, readSingleKeyShortcuts, shortcutLetter } from '../../hooks/use-single-key-shortcuts.ts';
import type { ToastContent } from '../../hooks/use-toast.ts';
import { type Messages, useMsg } from '../../i18n/i18n.ts';
import { loadAreaMessages } from '../../i18n/lazy-messages.ts';
import { externalLink } from '../../lib/links.ts';
import { currentPost, focusPost, isSeenWithoutFocus, stepToPost } from './current-post.ts';
import { countsAsUnread, markPostRead, markPostUnread, markReadUpTo } from './move-read-marker.ts';
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
 * Reading shortcuts of a post list: J and K move from post to post, N to the next unread one; S stars, O and Enter
 * open, V opens the original, M marks as read up to here, or this post as unread, / opens the search. They are inactive
 * on a third-party page.
 */
export function useReadingShortcuts(options: ReadingShortcutsOptions): void {
  const { dataClient, host, environment } = useServices();
  const m = useMsg();
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  useEffect(() => {
    if (environment.embedded) return;
    const actions = createShortcutActions({ dataClient, host, m, latest });
    const runShortcut = (event: KeyboardEvent, feed: HTMLElement): boolean => {
      const { postGroups, state } = latest.current;
      const letter = shortcutLetter(event);
      if (letter === 'j' || letter === 'k') return stepToPost(feed, postGroups, letter === 'j' ? 1 : -1);
      if (event.repeat) return false;
      if (letter === '/') {
        environment.navigate('/main?search');
        return true;
      }
      const article = currentPost(feed);
      const posts = state.type === 'loaded' ? state.posts : [];
      const index = posts.findIndex((other) => postKey(other) === article?.dataset.key);
      const post = posts[index];
      if (article === null || post === undefined) return false;
      if (letter === 'n') actions.goToNextUnread(feed, article, posts, index);
      else if (letter === 's') actions.star(post);
      else if (letter === 'm') actions.toggleRead(post);
      else if (letter === 'o') return clickLink(article, POST_LINK_SELECTOR);
      else if (letter === 'v') return openOriginal(article, post.link);
      else return false;
      return true;
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const { feed } = latest.current;
      // Some keyboard layouts have the slash on Shift.
      const isModified = event.altKey || (event.shiftKey && event.key !== '/');
      if (feed.current === null || isModified || !isShortcutEvent(event) || isOnMedia(event)) return;
      const [target] = event.composedPath();
      const isHandled =
        event.key === 'Enter'
          ? target instanceof HTMLElement && target.matches('article') && clickLink(target, POST_LINK_SELECTOR)
          : readSingleKeyShortcuts() && runShortcut(event, feed.current);
      if (isHandled) event.preventDefault();
    };
    // The window receives the event last: any other handler of the key has handled it by then.
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [dataClient, host, environment, m]);
}

interface ShortcutActionsOptions extends Pick<AppServices, 'dataClient' | 'host'> {
  readonly m: Messages;
  readonly latest: RefObject<ReadingShortcutsOptions>;
}

/** Actions of the keys on a post; each shows its result. */
function createShortcutActions({ dataClient, host, m, latest }: ShortcutActionsOptions) {
  const showToast = async (text: () => string, undo?: () => void) => {
    // English texts are used if the translations cannot be fetched.
    await loadAreaMessages(m.locale, 'keys').catch(() => {});
    latest.current.show({ text: text(), ...(undo && { action: { label: m.msg('Undo'), run: undo } }) });
  };
  return {
    star(post: Post): void {
      const starred = !dataClient.stars.get().has(postKey(post));
      host.haptic('light');
      dataClient.star(post, starred);
      void showToast(() => (starred ? m.msg('Added to starred') : m.msg('Removed from starred')));
    },
    toggleRead(post: Post): void {
      const { list } = latest.current;
      if (isUnread(post, dataClient.readMarkers.get())) {
        const undo = markReadUpTo(dataClient, list, post);
        return void showToast(() => m.msg('Read up to here'), undo);
      }
      if (dataClient.keptUnread.get().has(postKey(post))) {
        const undo = markPostRead(dataClient, post);
        return void showToast(() => m.msg('Marked as read'), undo);
      }
      const undo = markPostUnread(dataClient, list, post);
      if (undo === null) void showToast(() => tooManyUnreadText(m));
      else void showToast(() => m.msg('Marked as unread'), undo);
    },
    /** Moves the focus to the next unread post; after the last one, to the first. */
    goToNextUnread(feed: HTMLElement, article: HTMLElement, posts: readonly Post[], index: number): void {
      const startIndex = isSeenWithoutFocus(feed, article) ? index : index + 1;
      const nextUnread = [...posts.slice(startIndex), ...posts.slice(0, index)].find((post) => countsAsUnread(dataClient, post));
      if (nextUnread === undefined) void showToast(() => m.msg('No unread posts here'));
      else goToPost(feed, latest.current.postGroups, postKey(nextUnread));
    },
  };
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
 * Opens a post at its source by a click on a temporary link, because a compact row has no such link; returns false
 * without an address.
 */
function openOriginal(article: HTMLElement, address: string | undefined): boolean {
  if (address === undefined) return false;
  const link = Object.assign(document.createElement('a'), externalLink(address));
  article.append(link);
  link.click();
  link.remove();
  return true;
}

function goToPost(feed: HTMLElement, postGroups: PostGroups, key: string): void {
  mountGroup(postGroups, postGroups.elementOf(key));
  const article = articleOf(feed, key);
  if (article !== null) focusPost(article);
}
