import type { Services } from '../../context/services.ts';
import { sharedAddress } from '../post-list/use-post-actions.ts';
import { LONGEST_START, type SharedLineup, writeLineupLink } from './model/lineup-link.ts';

/** The address by which others get a line-up; `isOwn` where Telegram's link would have been too long. */
export interface LineupAddress {
  readonly address: string;
  readonly isOwn: boolean;
  /** Of the line-up in it, in characters. */
  readonly length: number;
}

export function lineupAddress(services: Pick<Services, 'host' | 'site'>, shared: SharedLineup): LineupAddress {
  const code = writeLineupLink(shared);
  const path = `/changer?lineup=${code}`;
  const start = `l_${code}`;
  const wanted = sharedAddress(services, path, start);
  const own = new URL(path, location.origin).href;
  const isOwn = start.length > LONGEST_START && wanted !== own;
  return { address: isOwn ? own : wanted, isOwn, length: code.length };
}
