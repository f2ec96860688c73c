import { known, number, optional, shape, string } from '../../../contract/shape.ts';
import type { PostList } from '../../channels/channels.ts';

type Place = NonNullable<PostList['place']>;

/*
 * Whether the reader came by Back, Forward or a reload: only then a page takes its former place up again, since every other
 * navigation goes to the top. One window has one history, so this one note belongs to the module.
 */
let popped: string | null | undefined;

/** The address as entries of the history are told apart by. */
export const address = (): string => withoutHash(location.href);
const withoutHash = (url: string): string => url.split('#', 1)[0] ?? url;

/** Begins to note where the history goes; harmless twice. */
function watchReturns(): void {
  if (popped !== undefined) return;
  const [load] = performance.getEntriesByType('navigation');
  const again = load instanceof PerformanceNavigationTiming && load.type !== 'navigate';
  popped = again ? withoutHash(load.name) : null;
  window.addEventListener('popstate', () => (popped = address()), { capture: true });
}

/** Says once whether the present address was reached by Back, Forward or a reload. */
export function takeReturn(): boolean {
  // A page without a list may have stood before: then the entry alone says that the reader was here.
  const isFirst = popped === undefined;
  watchReturns();
  const returned = popped === address() || (isFirst && readPlace() !== null);
  popped = null;
  return returned;
}

interface State {
  readonly changerPlace?: Place & { readonly at: string };
}

const parsePlace = shape<NonNullable<State['changerPlace']>>({ at: string, key: string, offset: number, from: optional(string) });
const parseState = known(shape<State>({ changerPlace: known(parsePlace) }));

/** The place that this entry of the history holds. */
export function readPlace(): Place | null {
  const place = parseState(history.state, '')?.changerPlace;
  // An entry begins with what the one before it held.
  return place?.at === address() ? place : null;
}
