/*
 * Lets a data area follow what happens at the server, and its pages say what is new. A chunk of its own: it comes when the
 * first posts stand.
 */
import type { ChannelsArea } from './channels/create.ts';
import { goLive, type LiveOptions } from './channels/live.ts';
import { NewPosts } from './pages/posts/NewPosts.tsx';

export const live = (area: ChannelsArea, options: Omit<LiveOptions, 'View'>): void =>
  goLive(area, { ...options, View: NewPosts });
