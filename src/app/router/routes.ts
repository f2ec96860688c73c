/**
 * Entry of the route table: a page of the app with its route name (specification 2.4), path pattern, tag, and use of the
 * layout.
 */
export interface Route {
  readonly name:
    | 'mainRouter'
    | 'channelRouter'
    | 'changerRouter'
    | 'testRouter'
    | 'notificationsRouter'
    | 'closeRouter'
    | 'notFound';
  readonly path: string;
  readonly tag: string;
  /** True for a page inside the layout, false for a page that fills the window. */
  readonly usesLayout: boolean;
  /** True for a page without a back link, such as a tab of the layout. */
  readonly isTopLevel: boolean;
}

export const LAYOUT_TAG = 'changer-layout';

export const ROUTES: readonly Route[] = [
  { name: 'mainRouter', path: '/main', tag: 'changer-feed', usesLayout: true, isTopLevel: true },
  { name: 'channelRouter', path: '/channel/:id', tag: 'changer-channel', usesLayout: true, isTopLevel: false },
  { name: 'changerRouter', path: '/changer', tag: 'changer-dial', usesLayout: true, isTopLevel: true },
  { name: 'testRouter', path: '/test', tag: 'changer-self-test', usesLayout: true, isTopLevel: true },
  {
    name: 'notificationsRouter',
    path: '/notifications',
    tag: 'changer-notifications',
    usesLayout: true,
    isTopLevel: false,
  },
  { name: 'closeRouter', path: '/webapp/close', tag: 'changer-close-webapp', usesLayout: false, isTopLevel: true },
];

/** Route for all other addresses. It fills the window, because an unknown address has no position in the navigation. */
export const NOT_FOUND_ROUTE: Route = {
  name: 'notFound',
  path: '*',
  tag: 'changer-not-found',
  usesLayout: false,
  isTopLevel: false,
};

/** Resolved target of a navigation. */
export interface RouteMatch {
  readonly route: Route;
  /** Address within the app, with its query. */
  readonly path: string;
  /** Parameters of the route and of the query. */
  readonly params: Readonly<Record<string, string>>;
}

/**
 * Deep links: returns the path of Telegram's start parameter: `c_<channel id>_<message id>` is a post, `l_<code>` is a shared
 * line-up. Returns null for any other parameter.
 */
export function startParamPath(startParam: string | null): string | null {
  const [, id, message, code] = /^(?:c_([A-Za-z0-9-]{1,40})_(\d{1,15})|l_([\w-]{1,510}))$/.exec(startParam ?? '') ?? [];
  if (code !== undefined) return `/changer?lineup=${code}`;
  return id === undefined ? null : `/channel/${id}?post=${message}`;
}

/**
 * Returns the tag that an address probably shows, so that its chunk loads while the app starts. A wrong guess only
 * costs the download.
 */
export function guessTag(path: string): string {
  const [, firstSegment = ''] = path.split(/[/?]/);
  const fallbackTag = firstSegment === '' ? 'changer-feed' : NOT_FOUND_ROUTE.tag;
  return ROUTES.find((route) => route.path.split('/')[1] === firstSegment)?.tag ?? fallbackTag;
}
