/*
 * Live updates of the data layer: subscribes it to server events, and shows a notice of new posts. A separate chunk, loaded
 * when the first posts are displayed.
 */
import type { ChannelsArea } from '../data/clients/account-client.ts';
import { goLive, type LiveOptions } from '../data/live/live-updates.ts';
import { NewPosts } from '../features/post-list/NewPostsPill.tsx';

export const live = (area: ChannelsArea, options: Omit<LiveOptions, 'View'>): void =>
  goLive(area, { ...options, View: NewPosts });
