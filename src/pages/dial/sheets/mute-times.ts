import type { Messages } from '../../../i18n/i18n.ts';
import { tomorrowMorning } from '../short-date.ts';

const HOUR = 3600;

/** How long a channel can be muted; `until` as arrange.mute takes it. */
export const muteTimes = ({ msg }: Messages): readonly { readonly label: string; until(): number }[] => [
  { label: msg('Mute for 1 hour'), until: () => Math.floor(Date.now() / 1000) + HOUR },
  { label: msg('Mute until tomorrow'), until: () => tomorrowMorning(Date.now()) },
  { label: msg('Mute until I change it'), until: () => 0 },
];
