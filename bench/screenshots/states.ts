import { CHANNEL_STATES } from './channel-states.ts';
import { DIAL_STATES } from './dial-states.ts';
import { FEED_STATES } from './feed-states.ts';
import { NOTIFICATION_STATES } from './notification-states.ts';
import { OPERATOR_STATES } from './operator-states.ts';
import { OTHER_STATES } from './other-states.ts';
import { POST_STATES } from './post-states.ts';
import { SEARCH_STATES } from './search-states.ts';
import type { State } from './state.ts';

/** Screenshot states: every page in its states. A new state is added to the list of its page. */
export const STATES: readonly State[] = [
  ...FEED_STATES,
  ...POST_STATES,
  ...CHANNEL_STATES,
  ...SEARCH_STATES,
  ...DIAL_STATES,
  ...NOTIFICATION_STATES,
  ...OPERATOR_STATES,
  ...OTHER_STATES,
];
