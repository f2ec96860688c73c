/*
 * Pages that arrive with a head of their own and their first posts in them, for readers at their first visit, with scripts off, and for search engines.
 * They are anyone's view: what a reader alone may see is never in them, so that every cache may share them.
 */
import { createHash } from 'node:crypto';
import { channelPath, postPath } from '../../src/ui/addresses.ts';
import { pathOf as pathname } from '../addresses.ts';
import type { App } from '../app.ts';
import type { Context } from '../context.ts';
import { shellHeaders } from '../shell.ts';
import { type Web, type WebFile, webFile } from '../web.ts';
import { type Head, headOf } from './head.ts';
import { type PageAddress, readPageAddress } from './page-address.ts';
import { escapeMarkup } from './plain.ts';
import type { Ask, Rendered, Renderer, Root } from './rendering.ts';

/** Who asks for a page. */
export interface Visit {
  /** Path and query. */
  readonly url: string;
  /** The origin that the site is reached under; see originOf. */
  readonly origin: string;
  readonly acceptLanguage: string | undefined;
}

export interface Page {
  readonly file: WebFile;
  /** 404 where everybody finds nothing: the shell goes with it, for a member of a private channel may still read it there. */
  readonly status: 200 | 404;
}

/** Makes pages, each as often as what it shows may have changed. */
export interface Pages {
  /** The page at an address; null for one that is told to nobody and where nothing is drawn. */
  of(visit: Visit): Promise<Page | null>;
}

interface Made {
  readonly page: Page | null;
  /** Of what it was made. */
  readonly web: Web;
  readonly event: number;
  readonly at: number;
}

/** A burst of posts is drawn once, ms. */
const FRESH = 2000;
/** Dates are told from now: "8 minutes ago". */
const OLD = 60_000;
/** Pages held, 150 kB each. */
const HELD = 100;
/** Made at a time; who comes then gets the shell, which fetches what it shows. */
const AT_ONCE = 4;

/** Shared caches ask once a minute, and answer meanwhile with what they have. */
const CACHING = 'public, max-age=0, s-maxage=60, stale-while-revalidate=300';

export function createPages(app: App, context: Pick<Context, 'web' | 'renderer' | 'store' | 'now' | 'brands' | 'config'>): Pages {
  const held = new Map<string, Made>();
  const making = new Map<string, Promise<Page | null>>();

  const ask: Ask = async (path, params) => {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
    const answer = await app.inject({ url: `${path}?${query}` });
    return { status: answer.statusCode, body: answer.statusCode === 200 ? answer.json() : null };
  };
  async function isCurrent({ web, event, at }: Made): Promise<boolean> {
    const age = context.now() - at;
    return web === context.web() && (age < FRESH || (age < OLD && event === (await context.store.lastEvent())));
  }
  async function make(url: string, path: string | null, origin: string, tag: string, renderer: Renderer): Promise<Made> {
    // Before anything is read: what happens meanwhile makes the page old.
    const of = { web: context.web(), event: await context.store.lastEvent(), at: context.now() };
    const brand = context.brands.get();
    const head = await headOf(url, origin, context.store, brand);
    const file = (drawn: Rendered | null) => fileOf(of.web, head, drawn, of.at);
    if (head?.exists === false) return { ...of, page: { file: file(null), status: 404 } };
    const asked = { languages: [tag], brandName: brand.name, botApp: context.config.botApp, ask };
    const drawn = path === null ? null : await renderer.render({ path, ...asked });
    return { ...of, page: head === null && drawn === null ? null : { file: file(drawn), status: 200 } };
  }
  function hold(key: string, made: Made): Page | null {
    held.delete(key);
    held.set(key, made);
    for (const oldest of held.keys()) if (held.size > HELD) held.delete(oldest);
    return made.page;
  }

  return {
    async of({ url, origin, acceptLanguage }) {
      const address = readPageAddress(url);
      const renderer = address === null ? null : await context.renderer();
      if (address === null || renderer === null) return null;
      const tag = renderer.tagOf(languagesOf(acceptLanguage));
      const path = address.narrowed ? null : pathOf(address);
      const key = `${tag} ${origin} ${path ?? url}`;
      const found = held.get(key);
      if (found !== undefined && (await isCurrent(found))) return found.page;
      const under = making.get(key);
      if (under !== undefined) return under;
      if (making.size >= AT_ONCE) return null;
      const made = make(url, path, origin, tag, renderer)
        .then((page) => hold(key, page))
        .catch((error: unknown) => {
          console.error(`${pathname(url)} could not be drawn:`, error);
          return null;
        })
        .finally(() => making.delete(key));
      making.set(key, made);
      return made;
    },
  };
}

/** The address of a page in the app, as short as it can be said. */
function pathOf(address: PageAddress): string {
  if (address.type === 'main') return '/main';
  const channel = { id: address.channel };
  return address.post === null ? channelPath(channel) : postPath(channel, address.post);
}

/** The languages of an Accept-Language header (RFC 9110), the dearest first; what is no language is left out. */
function languagesOf(header = ''): string[] {
  const weighed = header.split(',').map((each) => {
    const [tag = '', weight] = each.trim().split(/\s*;\s*q=/);
    return { tag, weight: weight === undefined ? 1 : Number(weight) };
  });
  return weighed
    .filter(({ tag, weight }) => /^[a-z]{2,3}(-[A-Za-z]{4})?(-[A-Za-z]{2})?$/.test(tag) && weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}

/** Puts a page's head into the shell, and what was drawn before the place where the app will stand, with what takes it away. */
function fileOf({ build, shell }: Web, head: Head | null, drawn: Rendered | null, at: number): WebFile {
  const titled =
    head === null ? shell.body.toString() : shell.body.toString().replace(/<title>.*?<\/title>/, () => head.elements);
  if (drawn === null) return webFile('/index.html', Buffer.from(titled), { 'cache-control': CACHING, ...shellHeaders(build) });
  const { locale, dir, when, layout, page, answers } = drawn;
  const root = ({ styles, html }: Root, inside: string) =>
    `<div><template shadowrootmode="open"><style>${styles}</style>${html}</template>${inside}</div>`;
  const all = root(layout, root(page, '')).replace('<div>', `<div id="drawn" data-when="${escapeMarkup(when)}">`);
  const told = JSON.stringify({ at, ...answers }).replaceAll('<', '\\u003c');
  const html = titled
    .replace('<html lang="en">', `<html lang="${locale}" dir="${dir}">`)
    .replace('<div id="q-app">', () => `${all}\n    <div id="q-app">`)
    .replace(
      /<noscript>.*<\/noscript>/,
      () => `<script>${build.takeOver}</script>\n    <script type="application/json" id="answers">${told}</script>`,
    );
  const hashes = [layout, page].map(({ styles }) => `sha256-${createHash('sha256').update(styles).digest('base64')}`);
  return webFile('/index.html', Buffer.from(html), { 'cache-control': CACHING, ...shellHeaders(build, hashes) });
}
