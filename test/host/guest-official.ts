/** The official client script, as the npm package wraps it: the oracle. Used, or the bundler would leave it out. */
import official from '@twa-dev/sdk';

Object.assign(window, { official });
