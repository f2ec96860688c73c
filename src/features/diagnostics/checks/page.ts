/* Diagnostic checks of the page: media formats, custom elements, language, display settings. */
import { str } from '../../../i18n/i18n.ts';
import { type Check, readField } from '../check.ts';

/** Smallest picture of each format, one pixel. */
const TEST_PICTURES: Readonly<Record<string, string>> = {
  webp: 'UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA',
  avif: 'AAAAIGZ0eXBhdmlmAAAAAGF2aWZtaWYxbWlhZk1BMUIAAADybWV0YQAAAAAAAAAoaGRscgAAAAAAAAAAcGljdAAAAAAAAAAAAAAAAGxpYmF2aWYAAAAADnBpdG0AAAAAAAEAAAAeaWxvYwAAAABEAAABAAEAAAABAAABGgAAAB0AAAAoaWluZgAAAAAAAQAAABppbmZlAgAAAAABAABhdjAxQ29sb3IAAAAAamlwcnAAAABLaXBjbwAAABRpc3BlAAAAAAAAAAIAAAACAAAAEHBpeGkAAAAAAwgICAAAAAxhdjFDgQ0MAAAAABNjb2xybmNseAACAAIAAYAAAAAXaXBtYQAAAAAAAAABAAEEAQKDBAAAACVtZGF0EgAKCBgANogQEAwgMg8f8D///8WfhwB8+ErK42A=',
};

/**
 * Returns true if a picture of this format decodes. Uses a blob, because the app's own content security policy forbids
 * `data:` URLs.
 */
async function canDecode(format: string): Promise<boolean> {
  const bytes = Uint8Array.from(atob(TEST_PICTURES[format] ?? ''), (character) => character.charCodeAt(0));
  return createImageBitmap(new Blob([bytes], { type: `image/${format}` })).then(
    (bitmap) => {
      bitmap.close();
      return true;
    },
    () => false,
  );
}

/** HTTP status of a response to a range request. */
const PARTIAL_CONTENT = 206;

/** Checks which picture and video formats this container supports, and whether the server supports range requests. */
export const mediaCheck: Check = {
  id: 'media',
  group: 'page',
  title: ({ msg }) => msg('Pictures and videos'),
  async run({ services: { environment }, m: { msg } }) {
    const [webp, avif] = await Promise.all([canDecode('webp'), canDecode('avif')]);
    const webm = document.createElement('video').canPlayType('video/webm; codecs="vp9"') !== '';
    const symbol = (ok: boolean) => (ok ? '✓' : '✗');
    const formats = `WebP ${symbol(webp)} · AVIF ${symbol(avif)} · WebM ${symbol(webm)}`;
    const pictureUrl = await fetchPictureUrl(environment.baseUrl);
    if (pictureUrl === null) return { result: webp ? 'pass' : 'warn', detail: `${formats} · ${msg('no file to fetch')}` };
    const firstByte = await fetch(environment.baseUrl + pictureUrl, {
      headers: { Range: 'bytes=0-0' },
      credentials: 'omit',
      cache: 'no-store',
    }).catch(() => null);
    const detail = `${formats} · ${firstByte === null ? msg('no answer') : msg(str`first byte: ${firstByte.status}`)}`;
    if (firstByte === null || !firstByte.ok)
      return { result: 'fail', detail, remedy: msg('Files cannot be loaded: check the connection, then tell the operator.') };
    if (firstByte.status !== PARTIAL_CONTENT)
      return {
        result: 'warn',
        detail,
        remedy: msg('Seeking in videos fails: something between the app and the server drops range requests.'),
      };
    return webp
      ? { result: 'pass', detail }
      : { result: 'warn', detail, remedy: msg('This browser is old: some stickers are not shown.') };
  },
};

/** Returns the URL of any picture on the server, relative to `baseUrl`; null if no channel has one. */
async function fetchPictureUrl(baseUrl: string): Promise<string | null> {
  const response = await fetch(`${baseUrl}/api/channels`, { credentials: 'omit' }).catch(() => null);
  const body: unknown = await response?.json().catch(() => null);
  const channels = readField(body, 'items');
  const urls = Array.isArray(channels) ? channels.map((channel) => readField(readField(channel, 'picture'), 'src')) : [];
  return urls.find((url) => typeof url === 'string') ?? null;
}

/** Checks that every custom element of the app in the page is defined. */
export const tagsCheck: Check = {
  id: 'tags',
  group: 'page',
  title: ({ msg }) => msg('Tags'),
  run({ m: { msg } }) {
    const tagNames = new Set(
      [...document.querySelectorAll('*')].map(({ localName }) => localName).filter((name) => name.startsWith('changer-')),
    );
    const missing = [...tagNames].filter((name) => customElements.get(name) === undefined);
    const scriptUrl = document.querySelector<HTMLScriptElement>('script[type=module][src]')?.src ?? '';
    const buildFile = /[^/]+\.js$/.exec(scriptUrl)?.[0] ?? '–';
    const detail = `${[...tagNames].join(', ')} · ${buildFile}`;
    if (missing.length === 0) return { result: 'pass', detail };
    return { result: 'fail', detail: msg(str`Not defined: ${missing.join(', ')}`), remedy: msg('Reload the page.') };
  },
};

/** Checks language, direction, time zone, digits and a plural form. */
export const localeCheck: Check = {
  id: 'locale',
  group: 'page',
  title: ({ msg }) => msg('Language'),
  run({ m }) {
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? '–';
    const detail = [
      m.locale,
      m.dir,
      timeZone,
      m.number(1234.5),
      // The isolate characters separate the text direction of the plural form from that of the line.
      `\u2068${m.plural(3, m.msg('one: # unread | other: # unread'))}\u2069`,
      navigator.languages.join(', '),
    ].join(' · ');
    if (Intl.PluralRules.supportedLocalesOf([m.locale]).length > 0) return { result: 'pass', detail };
    return { result: 'warn', detail, remedy: m.msg('This browser does not know the plurals of this language.') };
  },
};

const DEFAULT_FONT_SIZE_PX = 16;

/** Reports the reader's display settings: colour scheme, motion, contrast and text size. */
export const preferencesCheck: Check = {
  id: 'person',
  group: 'page',
  title: ({ msg }) => msg('Your settings'),
  run({ m: { msg, number } }) {
    const matches = (query: string) => window.matchMedia(query).matches;
    const textScale = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / DEFAULT_FONT_SIZE_PX;
    const detail = [
      matches('(prefers-color-scheme: dark)') ? msg('dark') : msg('light'),
      matches('(prefers-reduced-motion: reduce)') ? msg('less motion') : msg('motion'),
      matches('(prefers-contrast: more)') || matches('(forced-colors: active)') ? msg('more contrast') : msg('usual contrast'),
      msg(str`text at ${number(Math.round(textScale * 100))} %`),
    ].join(' · ');
    return { result: 'pass', detail };
  },
};
