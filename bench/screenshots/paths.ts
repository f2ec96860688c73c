/** API paths for which states replace the response. */
export const API = /^\/api\//;
export const CHANNELS = /^\/api\/channels$/;
export const CHANNEL = /^\/api\/channels\/[^/]+$/;
export const CHANNEL_POSTS = /^\/api\/channels\/[^/]+\/posts$/;
export const FEED = /^\/api\/feed$/;
export const SEARCH = /^\/api\/search$/;
export const LINEUP = /^\/api\/lineup$/;
export const EVENTS = /^\/api\/events$/;

/** Replaced responses: no channels, no posts, and a server error. */
export const NO_CHANNELS = { items: [], next: null };
export const NO_POSTS = { items: [], next: null, previous: null, channels: [] };
export const SERVER_ERROR = { status: 500, body: { detail: 'The store is closed.' } };

/** Channels of the demo network: one with albums and a pinned post, and one in Arabic. */
export const GAZETTE = '/channel/harbour_gazette_demo';
export const OBSERVER = '/channel/city_observer_demo';

/** Message id of a hidden post in the first of these channels. */
export const HIDDEN_POST_ID = 19;
