/** What states have answered otherwise than the server would. */
export const API = /^\/api\//;
export const CHANNELS = /^\/api\/channels$/;
export const CHANNEL = /^\/api\/channels\/[^/]+$/;
export const CHANNEL_POSTS = /^\/api\/channels\/[^/]+\/posts$/;
export const FEED = /^\/api\/feed$/;
export const SEARCH = /^\/api\/search$/;
export const LINEUP = /^\/api\/lineup$/;
export const EVENTS = /^\/api\/events$/;

export const NO_CHANNELS = { items: [], next: null };
export const NO_POSTS = { items: [], next: null, previous: null, channels: [] };
export const BROKEN = { status: 500, body: { detail: 'The store is closed.' } };

/** Of the demo network: with albums and a pinned post, and in Arabic. */
export const GAZETTE = '/channel/harbour_gazette_demo';
export const OBSERVER = '/channel/city_observer_demo';

/** A message of it that the operator has hidden. */
export const HIDDEN = 19;
