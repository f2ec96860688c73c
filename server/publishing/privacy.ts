// Privacy page and security.txt: informs readers about stored data, and researchers about the security contact.

import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { sendPublicDocument } from '../http/caching.ts';
import { parseAcceptLanguage } from '../http/content-negotiation.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documentResponses } from '../http/schemas.ts';
import { escapeMarkup } from '../lib/markup.ts';
import type { BrandStore } from '../web/brand.ts';
import { PRIVACY_TEXTS, type PrivacyTexts } from './privacy-texts.ts';

/** Languages of the privacy page. */
export type PrivacyLanguage = keyof typeof PRIVACY_TEXTS;

/**
 * Style sheet of the page. It repeats the app's colours (src/components/styles/tokens.css), which only the app can
 * load.
 */
const STYLE = `:root{color-scheme:light dark;--ground:#f3f2ef;--text:#191a1d;--link:#3a5bd9;--line:#e2dfd9}
@media(prefers-color-scheme:dark){:root{--ground:#121316;--text:#eceae6;--link:#8399e8;--line:#2b2e34}}
body{font:1rem/1.6 system-ui,sans-serif;max-inline-size:40rem;margin:auto;padding:0 1rem 3rem;background:var(--ground);color:var(--text);overflow-wrap:break-word}
h1{font-size:1.5rem;line-height:1.25;margin-block:1.5rem 0}h2{font-size:1.0625rem;line-height:1.3;margin-block:2rem .5rem}p{margin-block:.5rem}
nav{display:flex;flex-wrap:wrap;gap:0 1.25rem;padding-block:.5rem;border-block-end:1px solid var(--line)}
nav a{color:var(--link);text-decoration:none;min-block-size:44px;line-height:44px}nav a:first-child{margin-inline-end:auto;font-weight:650}
@media(max-width:30rem){nav a:first-child{flex-basis:100%}}
nav a:hover{text-decoration:underline}nav a[aria-current]{color:inherit}`;

/** Content security policy: allows only the page's own style sheet. The page contains no script. */
const PRIVACY_CSP = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;

const isLanguage = (tag: string): tag is PrivacyLanguage => Object.hasOwn(PRIVACY_TEXTS, tag);

/** Returns the first of these languages in which the page exists, or English. */
const pickPrivacyLanguage = (tags: readonly string[]): PrivacyLanguage =>
  tags.map((tag) => tag.toLowerCase().split('-')[0] ?? '').find(isLanguage) ?? 'en';

/** Renders the page about stored data, its purpose and its retention. `retentionDays` is 0 for no limit. */
function writePrivacyPage(language: PrivacyLanguage, brandName: string, retentionDays: number): string {
  const texts: PrivacyTexts = PRIVACY_TEXTS[language];
  const [limited, unlimited] = texts.retention;
  const formattedDays = retentionDays.toLocaleString(language === 'ar' ? 'ar-EG' : language);
  const sections = texts.sections.map(
    ([title, ...paragraphs]) => `<h2>${escapeMarkup(title)}</h2>${paragraphs.map(paragraph).join('')}`,
  );
  return `<!doctype html><html lang="${language}" dir="${texts.dir}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeMarkup(`${texts.title} – ${brandName}`)}</title>
<style>${STYLE}</style></head><body><nav><a href="/main"><bdi>${escapeMarkup(brandName)}</bdi></a>${languageLinks(language)}</nav>
<main><h1>${escapeMarkup(texts.title)}</h1>${sections.join('')}${paragraph(retentionDays === 0 ? unlimited : limited.replace('{days}', formattedDays))}</main></body></html>`;
}

const paragraph = (text: string): string => `<p>${escapeMarkup(text)}</p>`;

const languageLinks = (currentLanguage: PrivacyLanguage): string =>
  Object.entries(PRIVACY_TEXTS)
    .map(([tag, { name, dir }]) => {
      const current = tag === currentLanguage ? ' aria-current="page"' : '';
      return `<a href="/privacy?lang=${tag}" lang="${tag}" dir="${dir}"${current}>${name}</a>`;
    })
    .join('');

/** Services that this module uses. */
export type PrivacyDeps = {
  readonly config: Config;
  readonly brands: BrandStore;
  readonly now: () => number;
};

const PrivacyQuerystring = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) });

const DAY_MS = 86_400_000;

/**
 * Time until security.txt expires. RFC 9116 recommends less than a year, so that reports do not go to an abandoned
 * address.
 */
const SECURITY_TXT_LIFETIME_MS = 180 * DAY_MS;

/** Routes of the privacy page, and of security.txt with the contact for vulnerability reports. */
export function privacyRoutes(app: App, deps: PrivacyDeps): void {
  const { config, brands, now } = deps;
  const tags = ['server'];

  app.get(
    '/privacy',
    {
      schema: {
        summary: 'Privacy page: the data that is stored about a reader',
        tags,
        querystring: PrivacyQuerystring,
        response: documentResponses('A page', 'text/html'),
      },
    },
    async (request, reply) => {
      const { lang } = request.query;
      await brands.refresh();
      const language = pickPrivacyLanguage(lang === undefined ? parseAcceptLanguage(request.headers['accept-language']) : [lang]);
      return sendPublicDocument(request, reply, {
        body: writePrivacyPage(language, brands.get().name, config.retentionDays),
        type: 'text/html',
        headers: {
          'content-security-policy': PRIVACY_CSP,
          'content-language': language,
          vary: 'Accept-Encoding, Accept-Language, Origin',
        },
      });
    },
  );

  app.get(
    '/.well-known/security.txt',
    {
      schema: {
        summary: 'Contact for reports of vulnerabilities (RFC 9116)',
        tags,
        response: documentResponses('security.txt', 'text/plain'),
      },
    },
    async (request, reply) => {
      if (config.securityContact === null) throw notFound('security.txt');
      // Whole days, so that the response stays the same for a day.
      const expires = new Date(Math.floor((now() + SECURITY_TXT_LIFETIME_MS) / DAY_MS) * DAY_MS).toISOString();
      const canonical = config.publicUrl === null ? '' : `Canonical: ${config.publicUrl}/.well-known/security.txt\n`;
      const body = `Contact: ${config.securityContact}\nExpires: ${expires}\nPreferred-Languages: en\n${canonical}`;
      return sendPublicDocument(request, reply, { body, type: 'text/plain' });
    },
  );
}
