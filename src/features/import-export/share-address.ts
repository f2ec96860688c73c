import type { AppServices } from '../../context/services.ts';
import { sharedAddress } from '../post-list/use-post-actions.ts';
import { encodeLineupLink, MAX_START_PARAM_LENGTH, type SharedLineup } from './model/lineup-link.ts';

/** Share URL of a line-up; `isTooLongForTelegram` is true if it is a URL of this site because Telegram's link would be too long. */
export interface LineupAddress {
  readonly address: string;
  readonly isTooLongForTelegram: boolean;
  /** Length of the encoded line-up, in characters. */
  readonly codeLength: number;
}

/**
 * Returns the share URL of a line-up: a Telegram link if there is one and it is short enough, otherwise a URL of this
 * site.
 */
export function lineupAddress(services: Pick<AppServices, 'host' | 'environment'>, shared: SharedLineup): LineupAddress {
  const code = encodeLineupLink(shared);
  const path = `/changer?lineup=${code}`;
  const startParam = `l_${code}`;
  const sharedLink = sharedAddress(services, path, startParam);
  const siteAddress = new URL(path, location.origin).href;
  const isTooLongForTelegram = startParam.length > MAX_START_PARAM_LENGTH && sharedLink !== siteAddress;
  return { address: isTooLongForTelegram ? siteAddress : sharedLink, isTooLongForTelegram, codeLength: code.length };
}
