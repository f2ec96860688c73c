/*
 * Server-side rendering (SSR): renders pages of the app without a browser. It uses the same React pages and the same
 * data layer. The server's own API handles the requests as anonymous ones. It is a separate bundle
 * (build/server-bundle.mjs), which the server imports.
 */
import type { ComponentType } from 'react';
import { renderToStaticMarkup } from 'react-dom/server.edge';
import type { PrerenderedTag } from '../../../contract/prerender.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import { type ChannelsApi, createChannelsApi } from '../../../src/api/channels-api.ts';
import { hydrationKey } from '../../../src/api/hydration.ts';
import type { HttpClient } from '../../../src/api/types.ts';
import { loadAllChunks } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import base from '../../../src/components/styles/base.css';
import embedded from '../../../src/components/styles/embedded.css';
import sheet from '../../../src/components/styles/sheet.css';
import tokens from '../../../src/components/styles/tokens.css';
import { PageFrame } from '../../../src/context/PageRoot.tsx';
import type { AppServices, Environment } from '../../../src/context/services.ts';
import { createAnonymousClient } from '../../../src/data/clients/anonymous-client.ts';
import { createReadOnlyClient } from '../../../src/data/clients/embedded-client.ts';
import type { DataClient } from '../../../src/data/model/client.ts';
import { searchOf } from '../../../src/data/queries/search.ts';
import { ChannelPage } from '../../../src/features/channel/ChannelPage.tsx';
import channelStyles from '../../../src/features/channel/channel.css';
import { DialPage } from '../../../src/features/dial/DialPage.tsx';
import dialStyles from '../../../src/features/dial/dial.css';
import { FeedPage } from '../../../src/features/feed/FeedPage.tsx';
import feedStyles from '../../../src/features/feed/feed.css';
import { LayoutPage } from '../../../src/features/layout/LayoutPage.tsx';
import layoutStyles from '../../../src/features/layout/layout.css';
import { PostPage } from '../../../src/features/post/PostPage.tsx';
import postPageStyles from '../../../src/features/post/post-page.css';
import postStyles from '../../../src/features/post-list/post-list.css';
import { SearchPage } from '../../../src/features/search/SearchPage.tsx';
import searchStyles from '../../../src/features/search/search.css';
import { createMessages, loadMessages, type Messages, str } from '../../../src/i18n/i18n.ts';
import { pickLocale } from '../../../src/i18n/locale.ts';
import type { Signal } from '../../../src/lib/signal.ts';
import { createInertHost } from '../../../src/platform/detect.ts';
import { createMemoryStorage } from '../../../src/storage/memory-storage.ts';
import lazyLayoutStyles from './below.css';
import dayHeadingStyles from './days.css';
import needsScriptsStyles from './needs-scripts.css';
import nestedStyles from './nested.css';
import type {
  ElementRenderRequest,
  FetchApi,
  RenderedElement,
  RenderedPage,
  RenderOptions,
  RenderRequest,
} from './renderer-api.ts';
import { shareOutlines } from './shared-outlines.ts';
import noScriptStyles from './unscripted.css';
import { selectUsedStyles } from './used-styles.ts';

/** Maximum number of renderings in which a response causes another request. No page reaches it. */
const MAX_ROUNDS = 5;

/** Markup of a post, or of a row of the dial. */
const POST_OR_ROW = /<article|class="row\b/;

const LAYOUT_STYLES = [tokens, base, layoutStyles].join('\n');

/** See `Renderer`. */
export async function render({ path, ...options }: RenderRequest): Promise<RenderedPage | null> {
  const page = findPage(path);
  if (page === null) return null;
  const { brandName, botApp } = options;
  const environment = { baseUrl: '', embedded: false, brandName, botApp, navigate() {} };
  const rendered = await renderUntilSettled(
    options,
    environment,
    (api) => createAnonymousClient({ api, storage: createMemoryStorage() }),
    page.render,
  );
  if (rendered === null) return null;
  const { renderComponent, html, ...result } = rendered;
  const { needsScripts = false } = page;
  const roots = [
    {
      styles: `${LAYOUT_STYLES}\n${needsScripts ? needsScriptsStyles : noScriptStyles}`,
      html: renderComponent(LayoutPage, { path }),
    },
    { styles: page.styles, html },
  ];
  const [layout, content] = selectUsedStyles(roots).map((root) => ({ ...root, html: shareOutlines(root.html) }));
  if (layout === undefined || content === undefined) return null;
  return { ...result, layout, page: content, needsScripts };
}

/** See `Renderer`. */
export async function renderElement({
  tag,
  props,
  base: origin,
  ...options
}: ElementRenderRequest): Promise<RenderedElement | null> {
  const { Page, styles } = ELEMENTS[tag];
  const environment = { baseUrl: origin, embedded: true, brandName: new URL(origin).host, botApp: null, navigate() {} };
  const rendered = await renderUntilSettled(options, environment, createReadOnlyClient, (renderComponent) =>
    renderComponent(Page, props),
  );
  if (rendered === null) return null;
  const { renderComponent: _, html, ...result } = rendered;
  const [root] = selectUsedStyles([{ styles, html: adaptForTag(html) }], { isTag: true });
  return root === undefined ? null : { ...result, root };
}

/** Renders a page until its responses cause no further requests. Returns null if it has no posts to show. */
async function renderUntilSettled(
  { languages, fetchApi }: RenderOptions,
  environment: Environment,
  createClient: (api: ChannelsApi) => ReadOnlyClient,
  renderPage: (renderComponent: RenderComponent) => string,
) {
  const [messages] = await Promise.all([loadMessagesFor(languages), loadAllChunks()]);
  const { httpClient, responses, pending } = createRecordingHttpClient(fetchApi);
  const client = createClient(createChannelsApi(httpClient));
  const { dataClient, subscribeOnce } = createSubscribingClient(client);
  const services: AppServices = { dataClient, host: createInertHost(), environment };
  const renderComponent: RenderComponent = (Page, props) =>
    renderToStaticMarkup(
      <PageFrame
        pageInput={{ Page: Page as ComponentType<object>, services, props, lang: messages.locale, dir: undefined, onError() {} }}
        messages={messages}
        complete
      />,
    );
  try {
    await client.context.userState.loaded;
    subscribeOnce(client.lineup);
    let html = '';
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const previousHtml = html;
      html = renderPage(renderComponent);
      if (round > 0 && html === previousHtml) break;
      do await Promise.allSettled(pending);
      while (await afterNextTask(() => pending.size > 0));
    }
    if (!POST_OR_ROW.test(html)) return null;
    const dateTimeTemplate = messages.msg(str`${'{0}'}, ${'{1}'}`);
    return { renderComponent, html, locale: messages.locale, dir: messages.dir, dateTimeTemplate, responses };
  } finally {
    client.close();
  }
}

type ReadOnlyClient = ReturnType<typeof createReadOnlyClient>;

/**
 * Creates an HTTP client that records the responses (the app in the browser starts with them) and the pending requests.
 */
function createRecordingHttpClient(fetchApi: FetchApi) {
  const responses: Record<string, unknown> = {};
  const pending = new Set<Promise<unknown>>();
  const httpClient: HttpClient = {
    get(path, options) {
      const response = fetchApi(path, options?.params ?? {}).then(({ status, body }) => {
        if (status !== 200) throw new ApiError(`The API answers ${status}`, status);
        responses[hydrationKey(path, options)] = body;
        return body;
      });
      pending.add(response);
      const removePending = () => void pending.delete(response);
      response.then(removePending, removePending);
      return response;
    },
    write: () => Promise.reject(new ApiError('Nobody writes here', null)),
    clearCache() {},
  };
  return { httpClient, responses, pending };
}

/** Creates a client that subscribes to every query that the page uses. A query without a subscriber loads nothing. */
function createSubscribingClient(client: ReadOnlyClient) {
  const subscribed = new Set<object>();
  const subscribeOnce = <Value extends Signal<unknown>>(signal: Value): Value => {
    if (!subscribed.has(signal)) signal.subscribe(() => {});
    subscribed.add(signal);
    return signal;
  };
  const dataClient: DataClient = {
    ...client,
    feed: (filter) => subscribeOnce(client.feed(filter)),
    posts: (...query) => subscribeOnce(client.posts(...query)),
    latestPosts: (id) => subscribeOnce(client.latestPosts(id)),
    channel: (id) => subscribeOnce(client.channel(id)),
    post: (...params) => subscribeOnce(client.post(...params)),
  };
  const search = searchOf(client);
  if (search !== null) {
    const { list } = search;
    search.list = (query) => subscribeOnce(list(query));
  }
  return { dataClient, subscribeOnce };
}

/** See `Renderer`. */
export function languageTagOf(languages: readonly string[]): string {
  return createMessages(pickLocale(languages), undefined, languages).localeTag();
}

/**
 * Loads the translations of the first supported language. Numbers and dates use the conventions of the reader's region.
 */
async function loadMessagesFor(languages: readonly string[]): Promise<Messages> {
  const { locale, templates } = await loadMessages(pickLocale(languages));
  return createMessages(locale, templates, languages);
}

type RenderComponent = <Props extends object>(Page: ComponentType<Props>, props: Props) => string;

/** Adapts the content of a tag to a page that has not loaded the tag's code. */
const adaptForTag = (html: string): string =>
  // A form without a script would be submitted to the host page.
  withNativePlayers(html).replace('<div class="root', '<div class="drawn root').replaceAll('<form', '<form inert');

/**
 * Adds the browser's own controls to each video and sound, because the tag's own players need its code. Nothing of a file
 * is requested before it plays.
 */
const withNativePlayers = (html: string): string =>
  html.replace(
    /<(video|audio)\b([^>]*)>/g,
    (_, name: string, attributes: string) =>
      `<${name} controls preload="none"${attributes.replace(/ (controls|preload)="[^"]*"/g, '')}>`,
  );

/** Style sheets of a tag with posts. */
const TAG_POST_STYLES = [tokens, base, postStyles].join('\n');

/** The tags that the server renders, with their style sheets as in elements/. */
const ELEMENTS: Readonly<Record<PrerenderedTag, { readonly Page: ComponentType<object>; readonly styles: string }>> = {
  'changer-channel': {
    Page: ChannelPage as ComponentType<object>,
    styles: [TAG_POST_STYLES, channelStyles, embedded].join('\n'),
  },
  'changer-dial': { Page: DialPage as ComponentType<object>, styles: [tokens, base, sheet, dialStyles, embedded].join('\n') },
  'changer-feed': { Page: FeedPage as ComponentType<object>, styles: [TAG_POST_STYLES, feedStyles, embedded].join('\n') },
  'changer-post': { Page: PostPage as ComponentType<object>, styles: [TAG_POST_STYLES, postPageStyles, embedded].join('\n') },
  'changer-search': {
    Page: SearchPage as ComponentType<object>,
    styles: [TAG_POST_STYLES, sheet, searchStyles, embedded].join('\n'),
  },
};

/** Style sheets of a page in the layout, which has those of the tokens. */
const NESTED_POST_STYLES = [nestedStyles, base, postStyles].join('\n');

interface PageOfApp {
  readonly styles: string;
  readonly needsScripts?: boolean;
  render(renderComponent: RenderComponent): string;
}

/** Returns the page component of an address, and its style sheets. */
function findPage(path: string): PageOfApp | null {
  const [pathname = '', query] = path.split('?');
  const params = Object.fromEntries(new URLSearchParams(query));
  if (pathname === '/main') {
    return {
      styles: [NESTED_POST_STYLES, feedStyles, lazyLayoutStyles, dayHeadingStyles, noScriptStyles].join('\n'),
      render: (renderComponent) => renderComponent(FeedPage, { params }),
    };
  }
  if (pathname === '/changer') {
    return {
      styles: [nestedStyles, base, sheet, dialStyles].join('\n'),
      // Its rows and controls are buttons.
      needsScripts: true,
      render: (renderComponent) => renderComponent(DialPage, { params }),
    };
  }
  const [, encoded] = /^\/channel\/([^/]+)$/.exec(pathname) ?? [];
  if (encoded === undefined) return null;
  const channelId = decodeURIComponent(encoded);
  // A list that starts at a post needs exact heights above it, so the browser must lay out all posts.
  const listStyles = params.post === undefined ? lazyLayoutStyles : '';
  return {
    styles: [NESTED_POST_STYLES, channelStyles, listStyles, dayHeadingStyles, noScriptStyles].join('\n'),
    render: (renderComponent) => renderComponent(ChannelPage, { channelId, params: { ...params, id: channelId } }),
  };
}

/**
 * Reads a value in the next task of the event loop: before it, the handlers of a response may send further requests.
 */
const afterNextTask = async <Value,>(read: () => Value): Promise<Value> => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  return read();
};
