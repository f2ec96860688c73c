import type { Messages } from '../../../i18n/i18n.ts';
import type { Check } from '../check.ts';
import { cachesCheck, offlineReadingCheck, storageCheck, workerCheck } from './device.ts';
import { localeCheck, mediaCheck, preferencesCheck, tagsCheck } from './page.ts';
import { containerCheck, launchDataCheck } from './platform.ts';
import { channelsCheck, serverCheck, signInCheck, wrongTokenCheck } from './server.ts';

/** All diagnostic checks, in display order. */
export const CHECKS: readonly Check[] = [
  containerCheck,
  launchDataCheck,
  signInCheck,
  wrongTokenCheck,
  serverCheck,
  channelsCheck,
  workerCheck,
  cachesCheck,
  storageCheck,
  offlineReadingCheck,
  mediaCheck,
  tagsCheck,
  localeCheck,
  preferencesCheck,
];

/** Returns the groups of checks with their headings. */
export const checkGroups = ({ msg }: Messages): readonly (readonly [Check['group'], string])[] => [
  ['container', msg('Where the app runs')],
  ['server', msg('The server')],
  ['device', msg('This device')],
  ['page', msg('This page')],
];
