import type { Messages } from '../../../i18n/i18n.ts';
import type { Check } from '../check.ts';
import { appCaches, offline, storage, worker } from './device.ts';
import { locale, media, person, tags } from './page.ts';
import { container, launchData } from './platform.ts';
import { api, channels, refusal, signIn } from './server.ts';

/** All diagnostic checks, in display order. */
export const CHECKS: readonly Check[] = [
  container,
  launchData,
  signIn,
  refusal,
  api,
  channels,
  worker,
  appCaches,
  storage,
  offline,
  media,
  tags,
  locale,
  person,
];

/** Returns the groups of checks with their headings. */
export const groups = ({ msg }: Messages): readonly (readonly [Check['group'], string])[] => [
  ['container', msg('Where the app runs')],
  ['server', msg('The server')],
  ['device', msg('This device')],
  ['page', msg('This page')],
];
