/**
 * The official client script in its npm package, as the reference (oracle). It is used here, because the bundler would remove
 * an unused import.
 */
import official from '@twa-dev/sdk';

Object.assign(window, { official });
