/** A page of the app: its route (specification 2.4), its path for the router, its tag, and its place in the layout. */
export interface Route {
  readonly name: 'mainRouter' | 'channelRouter' | 'changerRouter' | 'testRouter' | 'closeRouter' | 'notFound';
  readonly path: string;
  readonly tag: string;
  /** Inside the layout, or alone in the window. */
  readonly layout: boolean;
  /** A tab of the layout: nothing to go back to. */
  readonly top: boolean;
}

export const LAYOUT_TAG = 'changer-layout';
export const HOME = '/main';

export const ROUTES: readonly Route[] = [
  { name: 'mainRouter', path: '/main', tag: 'changer-feed', layout: true, top: true },
  { name: 'channelRouter', path: '/channel/:id', tag: 'changer-channel', layout: true, top: false },
  { name: 'changerRouter', path: '/changer', tag: 'changer-dial', layout: true, top: true },
  { name: 'testRouter', path: '/test', tag: 'changer-self-test', layout: true, top: true },
  { name: 'closeRouter', path: '/webapp/close', tag: 'changer-close-webapp', layout: false, top: true },
];

/** Everything else, in the whole window: an address that means nothing has no place in the navigation. */
export const NOT_FOUND: Route = { name: 'notFound', path: '*', tag: 'changer-not-found', layout: false, top: false };

/** Where an address leads. */
export interface Destination {
  readonly route: Route;
  /** The address in the app, with its query. */
  readonly path: string;
  /** The route's parameters, and those of the query. */
  readonly params: Readonly<Record<string, string>>;
}

/** The path of a start parameter: `c_<channel id>_<message id>` is a post, `l_` and a code a shared line-up; null for any other. */
export function pathOfStartParam(startParam: string | null): string | null {
  const [, id, message, code] = /^(?:c_([A-Za-z0-9-]{1,40})_(\d{1,15})|l_([\w-]{1,510}))$/.exec(startParam ?? '') ?? [];
  if (code !== undefined) return `/changer?lineup=${code}`;
  return id === undefined ? null : `/channel/${id}?post=${message}`;
}

/** The tag that an address probably shows, so that its chunk loads while the app starts; a wrong guess costs nothing else. */
export function likelyTag(path: string): string {
  const [, first = ''] = path.split(/[/?]/);
  return ROUTES.find((route) => route.path.split('/')[1] === first)?.tag ?? (first === '' ? 'changer-feed' : NOT_FOUND.tag);
}
