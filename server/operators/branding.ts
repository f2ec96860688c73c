import { BrandAnswer, BrandChange } from '../../contract/operator.ts';
import { requireOperator } from '../auth/identity.ts';
import type { App } from '../http/request.ts';
import { answers } from '../http/schemas.ts';
import { type AuditDeps, actOf } from '../observability/audit-log.ts';
import type { Brand, Brands } from '../web/brand.ts';

/** Services that this module uses. */
export type BrandingDeps = AuditDeps & {
  readonly brands: Brands;
};

/** Maximum size, bytes: a logo of 512 kB in base64, and the other fields. */
const BRAND_LIMIT = 1024 * 1024;

/** Branding routes: the app's name, colour and logo. */
export function brandRoutes(app: App, deps: BrandingDeps): void {
  const tags = ['operator'];

  app.get(
    '/api/operator/brand',
    { schema: { summary: 'The brand', tags, response: answers(BrandAnswer) } },
    async (request, reply) => {
      requireOperator(request, reply);
      await deps.brands.follow();
      return answerOf(deps.brands.get());
    },
  );

  app.put(
    '/api/operator/brand',
    { bodyLimit: BRAND_LIMIT, schema: { summary: 'Change the brand', tags, body: BrandChange, response: answers(BrandAnswer) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      return answerOf(await deps.brands.change(request.body, (detail) => actOf(deps, reader, 'brand', { detail })));
    },
  );

  app.delete(
    '/api/operator/brand',
    { schema: { summary: "Go back to the settings' brand", tags, response: answers(BrandAnswer) } },
    async (request, reply) => {
      const reader = requireOperator(request, reply);
      const brand = await deps.brands.reset((detail) => actOf(deps, reader, 'brand-reset', { detail }));
      return answerOf(brand);
    },
  );
}

const answerOf = ({ name, color, logo, changed }: Brand): BrandAnswer => ({
  name,
  color,
  changed,
  ...(logo && { logo: `/icon-192.png?v=${logo.mark}` }),
});
