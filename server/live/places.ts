import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';

/** Open streams, of all and of one reader or address: more are turned away, and come when the reader returns to the page. */
export interface Places {
  /** Takes a place; null when there is none. The answer gives it back. */
  take(whose: string): (() => void) | null;
  count(): number;
}

/** A process holds some ten thousand sockets; an address may be that of a whole office. */
export const MOST = { all: 8000, each: 100 };

export function createPlaces(most = MOST): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(whose) {
      const own = taken.get(whose) ?? 0;
      if (all >= most.all || own >= most.each) return null;
      all++;
      taken.set(whose, own + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        all--;
        const rest = (taken.get(whose) ?? 1) - 1;
        if (rest > 0) taken.set(whose, rest);
        else taken.delete(whose);
      };
    },
    count: () => all,
  };
}

/** The address that a request came from: behind a proxy of ours the last that it names, since only that one it saw itself. */
export function addressOf({ socket, headers }: IncomingMessage): string {
  const peer = socket.remoteAddress ?? '';
  const named =
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() ?? '';
  const behindProxy = ipaddr.isValid(peer) && ipaddr.process(peer).range() !== 'unicast';
  return behindProxy && ipaddr.isValid(named) ? ipaddr.process(named).toString() : peer;
}
