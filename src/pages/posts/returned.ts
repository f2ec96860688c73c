import { known, number, optional, shape, string } from '../../../contract/shape.ts';
import type { PostList } from '../../channels/types.ts';

type Place = NonNullable<PostList['place']>;

/** The address as entries of the history are told apart by. */
export const address = (): string => location.href.split('#', 1)[0] ?? '';

/** Where the history of a foreign page led last. One window has one history, so this one note belongs to the module. */
let popped: string | null | undefined;

/** Says once whether a foreign page's reader came to the present address by Back or Forward; that is noted from now on. */
export function takeReturn(): boolean {
  if (popped === undefined) window.addEventListener('popstate', () => (popped = address()), { capture: true });
  const returned = popped === address();
  popped = null;
  return returned;
}

interface State {
  readonly changerPlace?: Place & { readonly at: string };
}

const parsePlace = shape<NonNullable<State['changerPlace']>>({ at: string, key: string, offset: number, from: optional(string) });
const parseState = known(shape<State>({ changerPlace: known(parsePlace) }));

/**
 * The place that this entry of the history holds: its reader was there before, and came by Back, Forward or a reload, since
 * every new entry begins without one (shell/router.ts).
 */
export function readPlace(): Place | null {
  const place = parseState(history.state, '')?.changerPlace;
  return place?.at === address() ? place : null;
}
