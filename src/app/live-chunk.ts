/*
 * Live updates: subscribes the data layer to server events, and shows a notice of new posts. This is a separate chunk,
 * which is loaded when the first posts are displayed.
 */
import type { DataClientControl } from '../data/clients/account-client.ts';
import { type LiveUpdatesOptions, startLiveUpdates } from '../data/live/live-updates.ts';
import { NewPostsPill } from '../features/post-list/NewPostsPill.tsx';

export const startLive = (client: DataClientControl, options: Omit<LiveUpdatesOptions, 'View'>): void =>
  startLiveUpdates(client, { ...options, View: NewPostsPill });
