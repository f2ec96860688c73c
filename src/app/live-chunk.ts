/*
 * Lets a data area follow what happens at the server, and its pages say what is new. A chunk of its own: it comes when the
 * first posts stand.
 */
import type { ChannelsArea } from '../data/clients/account-client.ts';
import { goLive, type LiveOptions } from '../data/live/live-updates.ts';
import { NewPosts } from '../features/post-list/NewPostsPill.tsx';

export const live = (area: ChannelsArea, options: Omit<LiveOptions, 'View'>): void =>
  goLive(area, { ...options, View: NewPosts });
