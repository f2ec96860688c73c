/*
 * Server-side rendering (SSR): renders pages of the app without a browser. It uses the same React pages and the same data layer.
 * The server's own API handles the requests as anonymous ones. It is a separate bundle (build/server-bundle.mjs), which the
 * server imports.
 */
import type { ComponentType } from 'react';
import { renderToString } from 'react-dom/server.edge';
import type { DrawnTag } from '../../../contract/drawn.ts';
import { ApiError } from '../../../src/api/api-error.ts';
import { type Api, createApi } from '../../../src/api/channels-api.ts';
import { nameOf } from '../../../src/api/hydration.ts';
import type { Client } from '../../../src/api/types.ts';
import { loadParts } from '../../../src/components/lazy-chunks/chunk-loaders.tsx';
import base from '../../../src/components/styles/base.css';
import embedded from '../../../src/components/styles/embedded.css';
import sheet from '../../../src/components/styles/sheet.css';
import tokens from '../../../src/components/styles/tokens.css';
import { PageFrame } from '../../../src/context/PageRoot.tsx';
import type { Services, Site } from '../../../src/context/services.ts';
import { createAnonymousChannels } from '../../../src/data/clients/anonymous-client.ts';
import { createNobodysChannels } from '../../../src/data/clients/embedded-client.ts';
import type { Channels } from '../../../src/data/model/client.ts';
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
import type { Readable } from '../../../src/lib/signal.ts';
import { createInertHost } from '../../../src/platform/detect.ts';
import { memoryKept } from '../../../src/storage/memory-storage.ts';
import below from './below.css';
import days from './days.css';
import type { Asked, Rendered, RenderedTag, RenderRequest, TagRequest } from './renderer-api.ts';
import unscripted from './unscripted.css';

/** Maximum number of rounds in which a response leads to another request. No page reaches it. */
const ROUNDS = 5;

const LAYOUT = [tokens, base, layoutStyles, unscripted].join('\n');

/** See `Renderer`. */
export async function render({ path, ...asked }: RenderRequest): Promise<Rendered | null> {
  const found = pageOf(path);
  if (found === null) return null;
  const { brandName, botApp } = asked;
  const site = { base: '', embedded: false, brandName, botApp, navigate() {} };
  const drawn = await drawPage(asked, site, (api) => createAnonymousChannels({ api, kept: memoryKept() }), found.draw);
  if (drawn === null) return null;
  const { draw, html, ...rest } = drawn;
  return { ...rest, layout: { styles: LAYOUT, html: draw(LayoutPage, { path }) }, page: { styles: found.styles, html } };
}

/** See `Renderer`. */
export async function renderTag({ tag, props, base: origin, ...asked }: TagRequest): Promise<RenderedTag | null> {
  const { Page, styles } = TAGS[tag];
  const site = { base: origin, embedded: true, brandName: new URL(origin).host, botApp: null, navigate() {} };
  const drawn = await drawPage(asked, site, createNobodysChannels, (draw) => draw(Page, props));
  if (drawn === null) return null;
  const { draw: _, html, ...rest } = drawn;
  return { ...rest, root: { styles, html } };
}

/** Renders a page until no response leads to another request. Returns null if it has no posts to show. */
async function drawPage(
  { languages, ask }: Asked,
  site: Site,
  createChannels: (api: Api) => ReturnType<typeof createNobodysChannels>,
  page: (draw: Draw) => string,
) {
  const [messages] = await Promise.all([messagesFor(languages), loadParts()]);
  const answers: Record<string, unknown> = {};
  const pending = new Set<Promise<unknown>>();
  const client: Client = {
    get(to, options) {
      const answer = ask(to, options?.params ?? {}).then(({ status, body }) => {
        if (status !== 200) throw new ApiError(`The API answers ${status}`, status);
        answers[nameOf(to, options)] = body;
        return body;
      });
      pending.add(answer);
      const done = () => void pending.delete(answer);
      answer.then(done, done);
      return answer;
    },
    write: () => Promise.reject(new ApiError('Nobody writes here', null)),
    forget() {},
  };
  const area = createChannels(createApi(client));
  const watching = new Set<object>();
  const watch = <Value extends Readable<unknown>>(readable: Value): Value => {
    if (!watching.has(readable)) readable.subscribe(() => {});
    watching.add(readable);
    return readable;
  };
  const channels: Channels = {
    ...area,
    feed: (filter) => watch(area.feed(filter)),
    posts: (...query) => watch(area.posts(...query)),
    latest: (id) => watch(area.latest(id)),
    channel: (id) => watch(area.channel(id)),
    post: (...named) => watch(area.post(...named)),
  };
  const search = searchOf(area);
  if (search !== null) {
    const { list } = search;
    search.list = (query) => watch(list(query));
  }
  const services: Services = { channels, host: createInertHost(), site };
  const draw: Draw = (Page, props) =>
    renderToString(
      <PageFrame
        given={{ Page: Page as ComponentType<object>, services, props, lang: messages.locale, dir: undefined, failed() {} }}
        messages={messages}
        complete
      />,
    );
  try {
    await area.inside.state.loaded;
    watch(area.lineup);
    let html = '';
    for (let round = 0; round < ROUNDS; round++) {
      const former = html;
      html = page(draw);
      if (round > 0 && html === former) break;
      do await Promise.allSettled(pending);
      while (await later(() => pending.size > 0));
    }
    if (!/<article|class="row\b/.test(html)) return null;
    const when = messages.msg(str`${'{0}'}, ${'{1}'}`);
    return { draw, html, locale: messages.locale, dir: messages.dir, when, answers };
  } finally {
    area.close();
  }
}

/** See `Renderer`. */
export function tagOf(languages: readonly string[]): string {
  return createMessages(pickLocale(languages), undefined, languages).tag();
}

/** Loads the translations of the first supported language. Numbers and dates use the conventions of the reader's region. */
async function messagesFor(languages: readonly string[]): Promise<Messages> {
  const { locale, templates } = await loadMessages(pickLocale(languages));
  return createMessages(locale, templates, languages);
}

type Draw = <Props extends object>(Page: ComponentType<Props>, props: Props) => string;

const POSTS = [tokens, base, postStyles].join('\n');
/** The tags that the server renders, with their style sheets as in elements/. */
const TAGS: Readonly<Record<DrawnTag, { readonly Page: ComponentType<object>; readonly styles: string }>> = {
  'changer-channel': { Page: ChannelPage as ComponentType<object>, styles: [POSTS, channelStyles, embedded].join('\n') },
  'changer-dial': { Page: DialPage as ComponentType<object>, styles: [tokens, base, sheet, dialStyles, embedded].join('\n') },
  'changer-feed': { Page: FeedPage as ComponentType<object>, styles: [POSTS, feedStyles, embedded].join('\n') },
  'changer-post': { Page: PostPage as ComponentType<object>, styles: [POSTS, postPageStyles, embedded].join('\n') },
  'changer-search': { Page: SearchPage as ComponentType<object>, styles: [POSTS, sheet, searchStyles, embedded].join('\n') },
};

/** Returns the page component of an address, and its style sheets. */
function pageOf(path: string): { readonly styles: string; draw(draw: Draw): string } | null {
  const [pathname = '', query] = path.split('?');
  const params = Object.fromEntries(new URLSearchParams(query));
  if (pathname === '/main') {
    return {
      styles: [tokens, base, postStyles, feedStyles, below, days, unscripted].join('\n'),
      draw: (draw) => draw(FeedPage, { params }),
    };
  }
  const [, encoded] = /^\/channel\/([^/]+)$/.exec(pathname) ?? [];
  if (encoded === undefined) return null;
  const channelId = decodeURIComponent(encoded);
  // Above a post that the address contains, every height must be exact.
  const further = params.post === undefined ? below : '';
  return {
    styles: [tokens, base, postStyles, channelStyles, further, days, unscripted].join('\n'),
    draw: (draw) => draw(ChannelPage, { channelId, params: { ...params, id: channelId } }),
  };
}

/** Processing a response takes several turns of the event loop. */
const later = async <Value,>(look: () => Value): Promise<Value> => {
  await new Promise((resolve) => setTimeout(resolve, 0));
  return look();
};
