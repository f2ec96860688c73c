import { Type } from 'typebox';
import type { Config } from '../config.ts';
import { notFound } from '../http/errors.ts';
import type { App } from '../http/request.ts';
import { documents } from '../http/schemas.ts';
import { sendPublished } from '../publish/send.ts';
import { languagesOf } from '../publishing/pages/page.ts';
import { PRIVACY_POLICY, privacyLanguage, writePrivacy } from '../publishing/privacy.ts';
import type { Brands } from '../web/brand.ts';

/** Services that this module uses. */
export type PrivacyDeps = {
  readonly config: Config;
  readonly brands: Brands;
  readonly now: () => number;
};

const Chosen = Type.Object({ lang: Type.Optional(Type.String({ maxLength: 10 })) });

/** Milliseconds: RFC 9116 wants an end within a year, so that nobody writes to an address that was given up. */
const SECURITY_TXT_FOR = 180 * 86_400_000;

/** What is kept of readers, said to them; and where to write who finds a hole. */
export function privacyRoutes(app: App, deps: PrivacyDeps): void {
  const { config, brands, now } = deps;
  const tags = ['server'];

  app.get(
    '/privacy',
    { schema: { summary: 'What is kept of a reader', tags, querystring: Chosen, response: documents('A page', 'text/html') } },
    async (request, reply) => {
      const { lang } = request.query;
      await brands.follow();
      const language = privacyLanguage(lang === undefined ? languagesOf(request.headers['accept-language']) : [lang]);
      return sendPublished(request, reply, {
        body: writePrivacy(language, brands.get().name, config.retentionDays),
        type: 'text/html',
        headers: {
          'content-security-policy': PRIVACY_POLICY,
          'content-language': language,
          vary: 'Accept-Encoding, Accept-Language, Origin',
        },
      });
    },
  );

  app.get(
    '/.well-known/security.txt',
    { schema: { summary: 'Where to report a hole (RFC 9116)', tags, response: documents('security.txt', 'text/plain') } },
    async (request, reply) => {
      if (config.securityContact === null) throw notFound('security.txt');
      // Whole days, so that the answer stays the same for a day.
      const ends = new Date(Math.floor((now() + SECURITY_TXT_FOR) / 86_400_000) * 86_400_000).toISOString();
      const canonical = config.publicUrl === null ? '' : `Canonical: ${config.publicUrl}/.well-known/security.txt\n`;
      const body = `Contact: ${config.securityContact}\nExpires: ${ends}\nPreferred-Languages: en\n${canonical}`;
      return sendPublished(request, reply, { body, type: 'text/plain' });
    },
  );
}
